import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Command } from 'commander';
import { directWords, programsOf } from '../checks/direct.ts';
import type { Decision } from '../decision.ts';
import type { Facts } from '../facts.ts';
import { commandGuards } from '../guards/command.ts';
import { editGuards } from '../guards/edit.ts';
import { decide, type JudgedBreach, type Judgement, judgeCommands, judgeEdits } from '../guards/judge.ts';
import { commandLine, listed, quoteWord } from '../guards/paste.ts';
import { createFacts } from '../hook/facts.ts';
import { fillFiles, readCommandLine } from '../io/command-line.ts';
import { dirname, relativeTo, resolveFrom, toPosix } from '../paths.ts';
import { policyAt } from '../policy/at.ts';
import type { Policy } from '../policy/policy.ts';
import { sentence, shorten } from '../sentence.ts';
import type { Invocation } from '../shell/invocation.ts';
import { type Reading, readCommand } from '../shell/invocations.ts';
import { showText, textOf } from '../shell/text.ts';
import { writtenPaths } from '../shell/writes.ts';
import { paint, result, talk, wrapped } from './output.ts';
import { asTyped } from './own-command.ts';
import { noConfig } from './target.ts';

interface Options {
  readonly file?: string;
  readonly json?: true;
}

/** `cagr explain`. */
export function register(program: Command): void {
  program
    .command('explain')
    .summary('show what cagr reads in a command or a file, and what each rule says')
    .description(
      'Reads a command as an agent would give it, and prints the program calls in it, where each runs, and what every rule that is on says. Nothing is run. With --file it does the same for an edit, and shows the checks that would run after it. Exit code 1: it would be stopped.',
    )
    .argument('[command...]', 'the command, in quotes')
    // Without quotes, the options of the command come here too.
    .allowUnknownOption()
    .option('--file <path>', 'a file that an agent edits')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      "\nExamples:\n  cagr explain 'git push origin main'\n  cagr explain 'cd web && npx prisma db push' --json\n  cagr explain --file src/app.ts",
    )
    .action((words: readonly string[], options: Options) => {
      const { file } = options;
      const command = oneCommand(words);
      if ((command === undefined) === (file === undefined) || (file !== undefined && words.length > 0)) {
        talk("Give one thing to explain: a command in quotes, or --file PATH. Example: cagr explain 'git push'");
        process.exitCode = 2;
        return;
      }
      const cwd = toPosix(process.cwd());
      const facts = createFacts(process.env);
      // A broken config is told with its mistakes before anything is judged by it.
      const policy = policyAt(file === undefined ? cwd : dirname(resolveFrom(cwd, file)));
      const found =
        file === undefined ? explainCommand(command ?? '', cwd, facts) : explainFile(file, cwd, facts, policy);
      result(options.json ? JSON.stringify(found.json, undefined, 2) : found.text);
      if (found.decision.kind === 'deny' || found.decision.kind === 'ask') process.exitCode = 1;
    });
}

/**
 * The command to explain: one quoted word, or the words of one that was typed without quotes; `undefined` for nothing, or
 * a mix of both, such as a quoted command with a mistyped option behind it.
 */
function oneCommand(words: readonly string[]): string | undefined {
  const [first = ''] = words;
  if (words.length < 2) return first.startsWith('-') ? undefined : words[0];
  return first.startsWith('-') || /\s/.test(first) ? undefined : words.map(quoteWord).join(' ');
}

interface Explanation {
  readonly text: string;
  readonly json: object;
  readonly decision: Decision;
}

function explainCommand(command: string, cwd: string, facts: Facts): Explanation {
  const input = { script: command };
  const reading = readCommand(input, { cwd, facts });
  const judgement = judgeCommands([input], { cwd, facts });
  const decision = decide(judgement, { asks: true, rewrites: false });
  const folders = new Set([cwd, ...reading.invocations.flatMap((call) => (call.elsewhere ? [] : [call.cwd ?? cwd]))]);
  const policies = new Set([...folders].flatMap((folder) => facts.policy(folder) ?? []));
  const rules = ruleRows(commandGuards, policies, judgement);
  const parts = [
    paint('bold', shorten(command, 2_000)),
    `${title('What runs')}\n${callLines(reading, cwd, (folder) => facts.policy(folder) !== undefined)}`,
    unread(reading),
    ruleLines(rules, policies, cwd),
    summary(decision, judgement, policies.size > 0),
  ];
  const json = {
    command,
    folder: cwd,
    invocations: reading.invocations.map((call) => ({
      ...call,
      words: call.words.map((word) => showText(textOf(word))),
      redirects: call.redirects.map((redirect) =>
        redirect.half === undefined ? redirect : { ...redirect, half: showText(redirect.half) },
      ),
      env: Object.fromEntries(call.env),
      files: call.files && Object.fromEntries(call.files),
      listed: call.listed?.words.flatMap((word) => call.listed?.listOf(word)?.text ?? []),
      writes: writtenPaths(call).map(({ path: written, kind }) => ({ path: written, kind })),
    })),
    unread: reading.errors,
    rules,
    decision: decision.kind,
  };
  return { text: parts.filter((part) => part !== '').join('\n\n'), json, decision };
}

const title = (text: string): string => paint('bold', text);
// One style a call: with a list of styles Node 20 colours even what is no terminal.
const strong = (colour: 'red' | 'yellow' | 'green', text: string): string => paint('bold', paint(colour, text));
const dim = (text: string): string => paint('dim', text);

function callLines({ invocations }: Reading, cwd: string, ruled: (folder: string) => boolean): string {
  if (invocations.length === 0) return '  nothing';
  const shown = invocations.slice(0, mostCalls);
  const width = String(shown.length).length;
  const lines = shown.flatMap((call, index) => {
    const number = String(index + 1).padStart(width);
    const line = shorten(commandLine(call.words), 300);
    const details = callDetails(call, cwd, ruled).map((detail) => `  ${' '.repeat(width)}  ${dim(detail)}`);
    return [`  ${dim(number)}  ${line}`, ...details];
  });
  if (invocations.length > shown.length) lines.push(`  and ${invocations.length - shown.length} more`);
  if (shown.some(({ argv }) => argv.includes(null))) {
    lines.push('', `  ${dim('… stands for what only the running shell can know. No rule guesses it.')}`);
  }
  return lines.join('\n');
}

const mostCalls = 200;

function callDetails(call: Invocation, cwd: string, ruled: (folder: string) => boolean): readonly string[] {
  const details: string[] = [];
  if (call.via.length > 0) details.push(`through ${call.via.map(({ text }) => shorten(text, 60)).join(' › ')}`);
  if (call.elsewhere) details.push('on another host or in a container, so no rule applies');
  else if (call.cwd === null) details.push('in a folder that only the running shell can know');
  else if (call.cwd !== cwd)
    details.push(`in ${shownFolder(call.cwd, cwd)}${ruled(call.cwd) ? '' : ', where no rule applies'}`);
  if (call.env.size > 0) {
    const pairs = [...call.env].map(([name, value]) => `${name}=${value === null ? '…' : quoteWord(value)}`);
    details.push(`with ${shorten(pairs.join(' '), 200)}`);
  }
  if (typeof call.stdin === 'string') details.push(`reads "${shorten(call.stdin, 60)}"`);
  const written = new Map<string, string[]>();
  for (const { path: file, kind } of writtenPaths(call)) {
    const verb = { write: 'writes', add: 'adds', update: 'changes', delete: 'removes', move: 'moves' }[kind];
    written.set(verb, [...(written.get(verb) ?? []), file]);
  }
  for (const [verb, files] of written) details.push(`${verb} ${shorten(files.join(', '), 200)}`);
  return details;
}

const shownFolder = (folder: string, cwd: string): string => relativeTo(cwd, folder) ?? folder;

function unread({ errors }: Reading): string {
  return errors.length === 0
    ? ''
    : `${title('What could not be read')}\n${errors.map((error) => `  ${error}`).join('\n')}`;
}

/** What a rule says. `off`: its key is not in the config, or `[actions]` turned it off. */
interface RuleRow {
  readonly rule: string;
  readonly state: 'off' | 'holds' | 'broken' | 'unjudged';
  /** What follows when it is broken. */
  readonly outcome?: JudgedBreach['outcome'];
  readonly reasons: readonly string[];
}

interface Guard {
  readonly id: JudgedBreach['rule'];
  enabled(policy: Policy): boolean;
}

function ruleRows(guards: readonly Guard[], policies: ReadonlySet<Policy>, judgement: Judgement): readonly RuleRow[] {
  return guards.map((guard) => {
    const breaches = judgement.breaches.filter(({ rule }) => rule === guard.id);
    const [first] = breaches;
    if (first) return { rule: guard.id, state: 'broken', outcome: first.outcome, reasons: breaches.map(sentence) };
    const failures = judgement.failures.filter(({ rule }) => rule === guard.id);
    if (failures.length > 0) {
      return { rule: guard.id, state: 'unjudged', reasons: failures.map(({ error }) => String(error)) };
    }
    const isOn = [...policies].some((policy) => policy.action(guard.id) !== 'off' && guard.enabled(policy));
    return { rule: guard.id, state: isOn ? 'holds' : 'off', reasons: [] };
  });
}

function ruleLines(rows: readonly RuleRow[], policies: ReadonlySet<Policy>, cwd: string): string {
  if (policies.size === 0) return '';
  const configs = [...policies].map(({ file }) => relativeTo(cwd, file) ?? file).join(', ');
  const told = rows.filter(({ state }) => state === 'broken' || state === 'unjudged');
  const named = (state: RuleRow['state']): string =>
    rows.flatMap((row) => (row.state === state ? [row.rule] : [])).join(', ');
  const quiet = (['holds', 'off'] as const).filter((state) => named(state) !== '');
  const signs = [...told.map(markWord), ...quiet.map((state) => (state === 'holds' ? 'ok' : 'off'))];
  const width = Math.max(0, ...signs.map((sign) => sign.length));
  // What is said of a rule stands below its name.
  const beside = (sign: string, text: string): string =>
    `  ${sign}${' '.repeat(width - stripVTControlCharacters(sign).length)}  ${wrapped(text, width + 4).trimStart()}`;
  const shown = [
    ...told.flatMap((row) => [beside(mark(row), row.rule), ...row.reasons.map((reason) => wrapped(reason, width + 4))]),
    ...quiet.map((state) =>
      state === 'holds' ? beside(paint('green', 'ok'), named(state)) : dim(beside('off', named(state))),
    ),
  ];
  return `${title('What the rules say')} ${dim(`(${configs})`)}\n${shown.join('\n')}`;
}

function markWord({ state, outcome }: RuleRow): string {
  return state === 'unjudged' ? 'error' : (outcome ?? 'deny');
}

function mark(row: RuleRow): string {
  return paint(row.state === 'unjudged' || row.outcome === 'warn' ? 'yellow' : 'red', markWord(row));
}

function summary(decision: Decision, { breaches, failures }: Judgement, hasPolicy: boolean): string {
  if (decision.kind === 'deny') {
    const closed = failures.flatMap(({ rule, onError }) => (rule && onError === 'deny' ? [rule] : []));
    const stopping = breaches.flatMap(({ rule, outcome }) => (outcome === 'warn' ? [] : [rule]));
    const rules = [...new Set([...stopping, ...closed])];
    return `${strong('red', `Denied by ${listed(rules)}.`)}${rewritten(breaches)}`;
  }
  if (decision.kind === 'ask') {
    return strong('yellow', 'The person is asked first; an agent that cannot ask is denied.');
  }
  if (!hasPolicy) return `${strong('green', 'Allowed: no rules apply here.')} ${asTyped(noConfig)}`;
  return strong('green', breaches.length > 0 ? 'Allowed, with a warning for the person.' : 'Allowed.');
}

/** What becomes of a command that `[actions]` wants rewritten, where an agent takes that. */
function rewritten(breaches: Judgement['breaches']): string {
  const [only, ...others] = breaches;
  if (only?.outcome !== 'rewrite' || only.rewrite === undefined || !only.alone || others.length > 0) return '';
  return ` Where the agent takes a rewritten command, \`${only.rewrite}\` runs instead.`;
}

function explainFile(file: string, cwd: string, facts: Facts, policy: Policy | undefined): Explanation {
  const absolute = resolveFrom(cwd, file);
  const edit = { path: file, kind: facts.exists(absolute) ? 'update' : 'add' } as const;
  const judgement = judgeEdits([edit], { cwd, facts });
  const decision = decide(judgement, { asks: true, rewrites: false });
  const policies = new Set(policy ? [policy] : []);
  const rules = ruleRows(editGuards, policies, judgement);
  const checks = policy ? checksOf(absolute, policy) : undefined;
  const real = facts.realPath(absolute);
  const parts = [
    paint('bold', file) + (real === absolute ? '' : dim(` is ${real}`)),
    ruleLines(rules, policies, cwd),
    checks ? checkLines(checks) : '',
    summary(decision, judgement, policy !== undefined),
  ];
  const json = {
    file,
    path: absolute,
    realPath: real,
    rules,
    decision: decision.kind,
    stacks: checks?.stacks ?? [],
    codeRules: checks?.codeRules ?? [],
  };
  return { text: parts.filter((part) => part !== '').join('\n\n'), json, decision };
}

interface ExplainedCommand {
  readonly command: string;
  /** The words it is started with, where that is not the command as configured. */
  readonly starts: readonly string[] | undefined;
}

interface Checks {
  readonly stacks: readonly {
    readonly name: string;
    readonly onEdit: readonly ExplainedCommand[];
    readonly onTurnEnd: readonly ExplainedCommand[];
  }[];
  readonly codeRules: readonly string[];
}

/** The checks that an edit of a file brings with it. */
function checksOf(absolute: string, policy: Policy): Checks {
  const file = relativeTo(policy.root, absolute);
  if (file === undefined) return { stacks: [], codeRules: [] };
  const programs = programsOf(policy.root);
  const started = (command: string): ExplainedCommand => {
    const direct = policy.checks.direct ? directWords(command, programs) : undefined;
    if (direct) return { command, starts: fillFiles(shortened(direct, policy.root), [file]) };
    const line = readCommandLine(command);
    const isFilled = line.kind === 'words' && command.includes('{files}');
    return { command, starts: isFilled ? fillFiles(line.words, [file]) : undefined };
  };
  return {
    stacks: policy.stacks
      .filter((stack) => stack.covers(file))
      .map(({ name, onEdit, onTurnEnd }) => ({ name, onEdit: onEdit.map(started), onTurnEnd: onTurnEnd.map(started) })),
    codeRules: policy.rules.filter((rule) => rule.covers(file)).map(({ id }) => id),
  };
}

/** The program's path as seen from the root, so that it can be read at a glance. */
function shortened([program = '', ...args]: readonly string[], root: string): readonly string[] {
  return [path.isAbsolute(program) ? (relativeTo(root, toPosix(program)) ?? program) : program, ...args];
}

function checkLines({ stacks, codeRules }: Checks): string {
  const blocks = stacks.map(({ name, onEdit, onTurnEnd }) => {
    const lines = [...checkRows('after each edit', onEdit), ...checkRows('at the end of the turn', onTurnEnd)];
    return `${title(`Stack ${name}`)}\n${lines.length > 0 ? lines.join('\n') : '  runs nothing'}`;
  });
  if (blocks.length === 0) blocks.push(`${title('Stacks')}\n  none covers this file`);
  if (codeRules.length > 0) blocks.push(`${title('Code rules')}\n${codeRules.map((id) => `  ${id}`).join('\n')}`);
  return blocks.join('\n\n');
}

function checkRows(when: string, commands: readonly ExplainedCommand[]): readonly string[] {
  if (commands.length === 0) return [];
  const lines = commands.flatMap(({ command, starts }) => [
    `    ${command}`,
    ...(starts ? [`      ${dim(`starts ${starts.map(quoteWord).join(' ')}`)}`] : []),
  ]);
  return [`  ${when}`, ...lines];
}
