import type { PackageJson } from '../facts.ts';
import { findBuiltin } from './builtins.ts';
import type { Call, Feed, Machine, Outcome } from './call.ts';
import { runCode } from './code-runs.ts';
import { foundFiles, listOutput } from './file-lists.ts';
import { filePlace, folderFrom, folderOption, gitFolder } from './folders.ts';
import { aliasWords, type GitFront, isGitCommand, readGitFront, scriptsOf } from './git-words.ts';
import type { ArgWord, Via } from './invocation.ts';
import { splitQuoted } from './options.ts';
import { outputOf } from './outputs.ts';
import type { Ran } from './runner.ts';
import { findRunner } from './runners.ts';
import { Scope } from './scope.ts';
import { isShell, readShellCall } from './shell-call.ts';
import { runTasks } from './task-reader.ts';
import { hole, isKnown, quoteText, showText, type Text, toArg, toWord } from './text.ts';
import { workspaceFolder } from './workspaces.ts';
import type { Unwrapped, Wrapper } from './wrapper.ts';
import { wrappers } from './wrappers.ts';

/** The base name of a program's word, without `.exe`: what tables and guards know it by. */
export function programName(word: Text): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  return name.toLowerCase().endsWith('.exe') ? name.slice(0, -4) : name;
}

const likely: Outcome = { status: 'likely', output: hole };
const asks: Outcome = { status: 'unknown', output: hole };

/** Programs whose exit code answers a question, so that neither outcome is to be expected. */
const questions: ReadonlySet<string> = new Set([
  'test',
  '[',
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'which',
  'type',
  'hash',
  'command',
  'diff',
  'cmp',
  'pgrep',
  'read',
  'ping',
  'curl',
  'wget',
]);
const presenceChecks: ReadonlySet<string> = new Set(['command', 'which', 'type', 'hash']);

/** Programs that never read their stdin, so that it is left for the next one. */
const deaf: ReadonlySet<string> = new Set([
  'cd',
  'echo',
  'printf',
  'export',
  'set',
  'unset',
  'true',
  'false',
  ':',
  'test',
  '[',
  'mkdir',
  'rm',
  'touch',
  'cp',
  'mv',
  'ln',
  'chmod',
  'pwd',
  'sleep',
  'local',
  'declare',
]);

/** Reads one program call: a builtin, a wrapper, a shell, git, a runner, or just a program. */
export function runProgram(words: readonly Text[], call: Call, machine: Machine): Outcome {
  const [first] = words;
  if (first === undefined) return likely;
  // A call that comes when the budget is used up is still noted, but not looked into.
  if (!machine.spend(1 + words.length) || !isKnown(programName(first))) {
    machine.emit(words, call);
    return asks;
  }
  const builtin = call.isShell ? findBuiltin(words) : undefined;
  if (builtin) {
    if (!builtin.isTransparent) machine.emit(words, call);
    return builtin.run(words, call, machine);
  }
  if (call.isShell && (first === '.' || first === 'source')) {
    const outcome = runSource(words, call, machine);
    if (outcome) return outcome;
  }
  const name = programName(first);
  const wrapper = wrappers.get(name);
  if (wrapper) {
    const found = unwrapPastUnknown(wrapper, words, call, machine);
    if (found.length > 0) {
      if (wrapper.isCall) machine.emit(words, call);
      let outcome = likely;
      for (const inner of found) outcome = runUnwrapped(words, inner, call, machine, wrapper.isCall ?? false);
      if (name === 'exec') return { ...outcome, leaves: 'exit' };
      return wrapper.isCall ? likely : outcome;
    }
  }
  if (isShell(name)) return runShell(words, call, machine);
  if (name === 'git') return runGit(words, call, machine);
  if (name === 'gh') return runGh(words, call, machine);
  const runner = findRunner(name);
  if (runner) return runRunner(words, runner(words), call, machine);
  const outcome = runPlain(name, words, call, machine);
  if (!first.includes('/')) return outcome;
  const script = machine.scriptFile(first, call);
  if (script !== undefined && isShellScript(script)) return runFile(script, first, words.slice(1), call, machine);
  const found = script === undefined ? machine.repoScript(first, call) : undefined;
  if (found?.startsWith('#!') && isShellScript(found))
    runRepoFile(found, { file: first, args: words.slice(1), text: first }, call, machine);
  return outcome;
}

/** These take no options, so an unknown word behind them is what they start. */
const optionless: ReadonlySet<string> = new Set([
  ...['command', 'builtin', 'exec', 'noglob', 'nocorrect', 'nohup', 'time', 'unbuffer', 'chronic'],
  ...['busybox', 'toybox', 'shx'],
]);

const isUnknownWord = (word: Text | undefined): boolean => word === hole;

/**
 * What a wrapper starts. An unknown word where its options and assignments end (`env $(cat .env | xargs) program`,
 * `sudo $OPTIONS program`) is taken for more of these, or for nothing: the known word behind it is the program.
 */
function unwrapPastUnknown(
  wrapper: Wrapper,
  words: readonly Text[],
  call: Call,
  machine: Machine,
): readonly Unwrapped[] {
  const found = wrapper.unwrap(words, {
    stdin: feedText(call.feed),
    found: () => foundFiles(programName(words[0] ?? ''), words, call, machine),
  });
  const [first] = found;
  if (!first || first.script !== undefined || wrapper.isCall || optionless.has(programName(words[0] ?? '')))
    return found;
  const { at } = first;
  // `timeout $OPTIONS 60 program`: no program is called by a number.
  const isShifted = isUnknownWord(words[at - 1]) && /^[\d.]+[smhd]?$/.test(first.words[0] ?? '');
  const skipped = isShifted ? at - 1 : at;
  if (!isUnknownWord(words[skipped]) || (!isShifted && !isUnknownWord(first.words[0]))) return found;
  const inner = unwrapPastUnknown(wrapper, [...words.slice(0, skipped), ...words.slice(skipped + 1)], call, machine);
  const isPlausible = inner.length > 0 && inner.every(({ words: [program = ''] }) => /^[\w./@+]/.test(program));
  return isPlausible ? inner.map((one) => ({ ...one, at: one.at + 1 })) : found;
}

/** A file without a first line for another program is run by a shell. */
const isShellScript = (text: Text): boolean =>
  !text.startsWith('#!') || /^#!.*\b(?:sh|bash|dash|zsh|ksh)\b/.test(text.split('\n', 1)[0] ?? '');

function runFile(script: Text, file: Text, args: readonly Text[], call: Call, machine: Machine): Outcome {
  const via: readonly Via[] = [...call.via, { kind: 'shell', text: written([file]) }];
  const key = `file ${file}`;
  return machine.nested(() => once(key, machine, () => runScript(script, args, { ...call, via }, machine, file)));
}

/** A script file of the checkout, of which only that is read which is certain to run. */
function runRepoFile(
  script: Text,
  { file, args, text }: { readonly file: Text; readonly args: readonly Text[]; readonly text: string },
  call: Call,
  machine: Machine,
): void {
  const via: readonly Via[] = [...call.via, { kind: 'script-file', text }];
  const inner: Call = { ...call, via, redirects: [] };
  machine.certainty.inFile(() =>
    machine.nested(() => once(`file ${file}`, machine, () => runScript(script, args, inner, machine, file))),
  );
}

/** `. file` in the shell that is running, where the script has said before what the file holds. */
function runSource(words: readonly Text[], call: Call, machine: Machine): Outcome | undefined {
  const [name = '', file, ...args] = words;
  const script = file === undefined ? undefined : machine.scriptFile(file, call);
  if (script === undefined && file !== undefined) {
    const found = machine.repoScript(file, call);
    machine.emit(words, call);
    // What it sets stays unknown: that depends on its conditions.
    if (found !== undefined) runRepoFile(found, { file, args, text: written([name, file]) }, call, machine);
    return likely;
  }
  if (script === undefined || script === hole) return undefined;
  const { scope } = call;
  const outer = scope.args;
  if (args.length > 0) scope.args = args;
  const via: readonly Via[] = [...call.via, { ...step('shell', words.slice(0, 2)), text: name }];
  const feed = file === '/dev/stdin' ? undefined : call.feed;
  const place = file === undefined ? null : filePlace(call.cwd, file);
  // A file that may not be there changes nothing for certain.
  const isDoubtful = place !== null && scope.isDoubtful(place);
  const inner = isDoubtful ? scope.child() : scope;
  const run = () => machine.nested(() => machine.script(script, inner, { via, elsewhere: call.elsewhere, feed }));
  const outcome = call.assigned ? inner.during(call.assigned, run) : run();
  if (isDoubtful) scope.merge([scope.child(), inner]);
  if (args.length > 0) scope.args = outer;
  if (isDoubtful) return { status: 'unknown', output: outcome.output };
  return outcome.leaves === 'return' ? { status: 'unknown', output: outcome.output } : outcome;
}

function runPlain(name: string, words: readonly Text[], call: Call, machine: Machine): Outcome {
  const stdin = feedText(call.feed);
  const folder = folderOption(name, words);
  machine.emit(words, folder === undefined ? call : { ...call, cwd: folderFrom(call.cwd, folder) });
  const output =
    listOutput(name, words, call, stdin, machine) ??
    outputOf(name, words, { facts: machine.facts, scope: call.scope, cwd: call.cwd, stdin });
  noteWrites(name, words, call, output, stdin);
  runCode(name, words, stdin, call, machine);
  runTasks(name, words, folder === undefined ? call : { ...call, cwd: folderFrom(call.cwd, folder) }, machine);
  if (call.feed && !deaf.has(name)) call.feed.taken = true;
  const status =
    name === 'true' || name === ':' ? 'ok' : name === 'false' ? 'fails' : questions.has(name) ? 'unknown' : 'likely';
  // A script that looks for the programs it needs goes on where it finds them.
  if (presenceChecks.has(name) && machine.certainty.isInFile) return { status: 'ok', output };
  return { status, output };
}

const feedText = (feed: Feed | undefined): Text | undefined => (feed && !feed.taken ? feed.text : undefined);

/** Remembers the text of files that the script writes, for the commands after it that read them. */
function noteWrites(name: string, words: readonly Text[], call: Call, output: Text, stdin: Text | undefined): void {
  for (const { operator, target } of call.redirects) {
    if (operator === '<') continue;
    const path = filePlace(call.shellFolder, target);
    if (path === null) continue;
    const before = operator === '>>' ? call.scope.file(path) : '';
    call.scope.setFile(
      path,
      operator === '>' || operator === '>|' ? output : before === undefined ? hole : before + output,
    );
  }
  if (name !== 'tee') return;
  for (const word of words.slice(1)) {
    const path = word.startsWith('-') ? null : filePlace(call.cwd, word);
    if (path !== null) call.scope.setFile(path, stdin ?? hole);
  }
}

const written = (words: readonly Text[]): string => words.map(showText).join(' ');

/** A step that is seen nowhere else: no call is noted for it. */
const step = (kind: 'wrapper' | 'shell', words: readonly Text[]): Via => ({
  kind,
  text: written(words),
  words: words.map(toWord),
});

function changedEnv(call: Call, inner: Unwrapped): ReadonlyMap<string, ArgWord> {
  if (!inner.clearsEnv && !inner.env?.length) return call.env;
  const env = new Map(inner.clearsEnv ? [] : call.env);
  for (const [name, value] of inner.env ?? []) {
    if (value === undefined) env.delete(name);
    else env.set(name, toArg(value));
  }
  return env;
}

function runUnwrapped(
  words: readonly Text[],
  inner: Unwrapped,
  call: Call,
  machine: Machine,
  isCall: boolean,
): Outcome {
  const own = words.slice(0, inner.at);
  const via: readonly Via[] = [...call.via, isCall ? { kind: 'wrapper', text: written(own) } : step('wrapper', own)];
  const cwd = inner.folder === undefined ? call.cwd : folderFrom(call.cwd, inner.folder);
  const env = changedEnv(call, inner);
  const elsewhere = call.elsewhere || (inner.elsewhere ?? false);
  const feed = inner.takesStdin ? undefined : call.feed;
  // `command`, `builtin`, `exec` and zsh's modifiers are the shell's own: what they start may be a builtin.
  const isShell = call.isShell && shellWrappers.has(words[0] ?? '');
  const next: Call = { ...call, via, cwd, env, elsewhere, feed, isShell };
  return machine.nested(() => {
    if (inner.script === undefined) {
      const mayBeFunction = isShell && functionWrappers.has(words[0] ?? '');
      return mayBeFunction ? machine.run(inner.words, next) : runProgram(inner.words, next, machine);
    }
    return runScript(inner.script, inner.args ?? [], next, machine);
  });
}

/** Of these, the ones that leave the choice between a function and a program to the shell. */
const functionWrappers: ReadonlySet<string> = new Set(['noglob', 'nocorrect', 'time']);
const shellWrappers: ReadonlySet<string> = new Set(['command', 'builtin', 'exec', ...functionWrappers]);

/** Runs a script in a shell of its own, which knows only what is exported. */
function runScript(script: Text, args: readonly Text[], call: Call, machine: Machine, zero?: Text): Outcome {
  const scope = Scope.process(call.cwd, call.env, call.scope);
  scope.args = args;
  scope.zero = zero;
  if (call.via.at(-1)?.kind === 'script-file')
    scope.set('BASH_SOURCE', { text: zero, items: [zero ?? hole], exported: false });
  const outcome = machine.certainty.within('shell', () => machine.script(script, scope, call));
  call.scope.adoptWorld(scope);
  return { status: outcome.status, output: outcome.output };
}

function runShell(words: readonly Text[], call: Call, machine: Machine): Outcome {
  const shell = readShellCall(words);
  const stdin = feedText(call.feed);
  const file = shell.script === undefined && !shell.readsStdin ? words[shell.at] : undefined;
  const script = shell.script ?? (file === undefined ? stdin : machine.scriptFile(file, call));
  if (script === undefined || script === hole || shell.onlyChecks) {
    machine.emit(words, call);
    if (call.feed) call.feed.taken = true;
    const found =
      script === undefined && !shell.onlyChecks && file !== undefined ? machine.repoScript(file, call) : undefined;
    if (found !== undefined && file !== undefined && isShellScript(found)) {
      const text = written(words.slice(0, shell.at + 1));
      runRepoFile(found, { file, args: shell.args, text }, call, machine);
    }
    return likely;
  }
  const end = file === undefined ? shell.at : shell.at + 1;
  const via: readonly Via[] = [...call.via, step('shell', words.slice(0, end))];
  const feed = shell.readsStdin ? undefined : call.feed;
  const run = () => runScript(script, shell.args, { ...call, via, feed }, machine, shell.zero);
  return machine.nested(() => (file === undefined ? run() : once(`file ${file}`, machine, run)));
}

function runGit(words: readonly Text[], call: Call, machine: Machine): Outcome {
  const front = readGitFront(words);
  const gitDir = front.gitDir ?? call.env.get('GIT_DIR');
  const cwd = gitFolder(call.cwd, front, gitDir);
  const here: Call = { ...call, cwd };
  const startedIn = gitDir === undefined ? undefined : gitFolder(call.cwd, front, undefined);
  machine.emit(words, startedIn === undefined ? here : { ...here, startedIn });
  if (call.feed && readsStdin(words)) call.feed.taken = true;
  const command = words[front.at];
  if (command === undefined || !isKnown(command)) return likely;
  const args = words.slice(front.at + 1);
  if (!isGitCommand(command)) return runAlias(words, front.at, here, machine) ?? likely;
  for (const { script, folder } of scriptsOf(command, args)) {
    const via: readonly Via[] = [...call.via, { kind: 'wrapper', text: written(words.slice(0, front.at + 1)) }];
    const inner: Call = { ...here, via, feed: undefined, cwd: folder === undefined ? cwd : folderFrom(cwd, folder) };
    machine.nested(() => runScript(script, [], inner, machine));
  }
  const status =
    gitQuestions.has(command) && args.some((word) => /^(-q|--quiet|--exit-code|--verify|--is-)/.test(word))
      ? 'unknown'
      : 'likely';
  const output =
    listOutput('git', words, here, undefined, machine) ??
    outputOf('git', words, { facts: machine.facts, scope: call.scope, cwd, stdin: undefined });
  noteWrites('git', words, call, output, undefined);
  if (command === 'config' && output === '') return { status: 'fails', output };
  return { status, output };
}

/** Most git commands leave their stdin alone. */
const readsStdin = (words: readonly Text[]): boolean =>
  words.some((word) => word === '-' || word.endsWith('=-') || word.startsWith('--stdin') || stdinCommands.has(word));

const stdinCommands: ReadonlySet<string> = new Set([
  'am',
  'apply',
  'mailinfo',
  'mailsplit',
  'stripspace',
  'patch-id',
  'mktree',
  'mktag',
  'fast-import',
  'commit-tree',
  'interpret-trailers',
  'fmt-merge-msg',
  'credential',
  'column',
  'shell',
]);

const gitQuestions: ReadonlySet<string> = new Set([
  'diff',
  'diff-index',
  'rev-parse',
  'show-ref',
  'ls-remote',
  'cat-file',
  'merge-base',
  'ls-files',
  'config',
]);

/**
 * A call of gh, and what it stands for if an earlier command of the script made it an alias. Source: `gh alias set --help`
 * of gh 2.83: `$1` and so on take the arguments, what is left of them comes behind, and `!` or --shell makes it a script.
 */
function runGh(words: readonly Text[], call: Call, machine: Machine): Outcome {
  const [, first = '', second, ...others] = words;
  const outcome = runPlain('gh', words, call, machine);
  if (first === 'alias' && second === 'set') {
    const isShell = others.some((word) => word === '-s' || word === '--shell');
    const [name, expansion] = others.filter((word) => word === '-' || !word.startsWith('-'));
    const text = expansion === '-' ? feedText(call.feed) : expansion;
    if (name !== undefined && text !== undefined)
      machine.ghAliases.set(name, isShell && !text.startsWith('!') ? `!${text}` : text);
    return outcome;
  }
  const meaning = machine.ghAliases.get(first);
  if (meaning === undefined || ghCommands.has(first)) return outcome;
  const args = words.slice(2);
  const next: Call = { ...call, via: [...call.via, { kind: 'git-alias', text: `gh ${first}` }], isShell: false };
  return machine.nested(() =>
    once(`gh ${first}`, machine, () => {
      if (meaning.startsWith('!')) return runScript(meaning.slice(1), args, next, machine);
      const taken = new Set<number>();
      const placed = splitQuoted(meaning).map((word) =>
        word.replaceAll(/\$(\d)/g, (_, digit: string) => {
          taken.add(Number(digit) - 1);
          return args[Number(digit) - 1] ?? '';
        }),
      );
      return runProgram(['gh', ...placed, ...args.filter((_, index) => !taken.has(index))], next, machine);
    }),
  );
}

/** The commands of gh, which no alias can replace. Source: `gh help` of gh 2.83. */
const ghCommands: ReadonlySet<string> = new Set(
  `agent-task alias api attestation auth browse cache co codespace completion config copilot extension gist gpg-key issue label
  org pr preview project release repo ruleset run search secret ssh-key status variable workflow`.split(/\s+/),
);

function runAlias(words: readonly Text[], at: number, call: Call, machine: Machine): Outcome | undefined {
  const name = words[at] ?? '';
  const key = `alias.${name.toLowerCase()}`;
  const front = readGitFront(words);
  const own = front.settings.findLast(([setting]) => setting.toLowerCase() === key)?.[1];
  const repo = call.cwd === null ? undefined : machine.facts.repo(call.cwd);
  const value = own ?? repo?.config.get(key);
  if (value === undefined || value.trim() === '') return undefined;
  const next: Call = { ...call, via: [...call.via, { kind: 'git-alias', text: `git ${name}` }] };
  const args = words.slice(at + 1);
  const plain = aliasWords(value);
  return machine.nested(() =>
    once(`git ${name}`, machine, () => {
      if (!plain) {
        const others = front.settings.filter(([setting]) => setting.toLowerCase() !== key);
        const there: Call = { ...next, cwd: repo?.top ?? call.cwd, env: withSettings(others, call.env) };
        return runScript(`${value.slice(1)} "$@"`, args, there, machine);
      }
      // The folder is worked out already; settings of the command line hold for the alias too.
      const settings = front.settings.flatMap(([setting, text]) => ['-c', `${setting}=${text}`]);
      return runProgram(['git', ...settings, ...plain, ...args], next, machine);
    }),
  );
}

/**
 * The environment in which git runs an alias that is a shell command: it hands its own settings on to the git in it. A
 * setting that is unknown, or that a word in single quotes can't hold, is left out; so is where the hooks are, which is
 * judged where it is written.
 */
function withSettings(settings: GitFront['settings'], env: Call['env']): Call['env'] {
  const carried = settings.flatMap(([key, value]) => {
    const isPlain = isKnown(key) && isKnown(value) && !`${key}${value}`.includes("'");
    return isPlain && !/^(?:core\.hookspath$|include)/i.test(key) ? [`'${key}'='${value}'`] : [];
  });
  if (carried.length === 0) return env;
  const before = env.get('GIT_CONFIG_PARAMETERS');
  return new Map([...env, ['GIT_CONFIG_PARAMETERS', [...(before ? [before] : []), ...carried].join(' ')]]);
}

function runRunner(words: readonly Text[], ran: readonly Ran[], call: Call, machine: Machine): Outcome {
  const name = programName(words[0] ?? '');
  if (ran.length === 0) return runPlain(name, words, call, machine);
  const { folder: named, workspace } = ran[0] ?? {};
  const found =
    named === hole && workspace !== undefined ? workspaceFolder(workspace, call.cwd, machine.facts) : undefined;
  const folder = found ?? named;
  const here: Call = { ...call, cwd: folder === undefined ? call.cwd : folderFrom(call.cwd, folder) };
  machine.emit(words, here);
  runCode(name, words, feedText(call.feed), here, machine);
  let outcome = likely;
  for (const inner of ran) outcome = machine.nested(() => runRan(words, inner, here, machine));
  return outcome;
}

function runRan(words: readonly Text[], ran: Ran, call: Call, machine: Machine): Outcome {
  const text = written(words.slice(0, ran.at));
  const next = (kind: Via['kind']): Call => ({ ...call, via: [...call.via, { kind, text }], isShell: false });
  if (ran.kind === 'program') return runProgram(ran.words, next('runner'), machine);
  if (ran.kind === 'shell') return runScript(ran.script, [], next('runner'), machine);
  const json = call.cwd === null || !isKnown(ran.name) ? undefined : machine.facts.packageJson(call.cwd);
  const names = json ? scriptNames(ran.name, json) : [];
  if (json === undefined || names.length === 0) {
    return ran.orProgram ? runProgram([ran.name, ...ran.args], next('runner'), machine) : likely;
  }
  let outcome = likely;
  for (const name of names) {
    const script = [json.scripts[name] ?? '', ...ran.args.map(quoteText)].join(' ');
    outcome = runPackageScript(json, name, script, next('package-script'), machine);
  }
  return outcome;
}

/** The scripts that a name means: that one, or all that fit a pattern such as `build:*`; `**` also goes over colons. */
function scriptNames(name: string, { scripts }: PackageJson): readonly string[] {
  if (Object.hasOwn(scripts, name)) return [name];
  const parts = name.split(/(\*+)/);
  // More stars are no pattern that anybody writes, and slow to match.
  if (parts.length < 3 || parts.length > 7) return [];
  const pattern = parts
    .map((part) => (part.startsWith('**') ? '.*' : part === '*' ? '[^:]*' : part.replace(/[^\w]/g, '\\$&')))
    .join('');
  const fits = new RegExp(`^${pattern}$`);
  return Object.keys(scripts).filter((script) => fits.test(script));
}

/** A script of `package.json`, between the ones that run before and after it by their names. */
function runPackageScript(json: PackageJson, name: string, script: Text, call: Call, machine: Machine): Outcome {
  const here: Call = { ...call, cwd: json.dir };
  let outcome = likely;
  for (const step of [`pre${name}`, name, `post${name}`]) {
    const text = step === name ? script : Object.hasOwn(json.scripts, step) ? json.scripts[step] : undefined;
    if (text === undefined) continue;
    const result = once(`${json.dir}\0${step}`, machine, () => runScript(text, [], here, machine));
    if (step === name) outcome = result;
  }
  return outcome;
}

/** Runs an action unless it is running already: a script or an alias that leads back to itself is read once. */
function once(key: string, machine: Machine, action: () => Outcome): Outcome {
  if (machine.running.has(key)) return likely;
  machine.running.add(key);
  const outcome = action();
  machine.running.delete(key);
  return outcome;
}
