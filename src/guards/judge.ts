import type { CommandInput, EditInput } from '../agents/adapter.ts';
import type { Breach, Decision, Verdict } from '../decision.ts';
import { allow, cutText, failOpenNotice } from '../decision.ts';
import type { Facts } from '../facts.ts';
import { dirname, relativeTo, resolveFrom } from '../paths.ts';
import type { Policy } from '../policy/policy.ts';
import type { Action, RuleId } from '../rules.ts';
import { sentence, shorten } from '../sentence.ts';
import type { Invocation } from '../shell/invocation.ts';
import { readCommand } from '../shell/invocations.ts';
import { shownPath } from '../visible-text.ts';
import { isAnotherRepo } from './another-repo.ts';
import { commandGuards } from './command.ts';
import { editGuards } from './edit.ts';
import type { CommandGuard, EditGuard, Pass } from './guard.ts';
import { isPass } from './guard.ts';
import { filled, halfReached } from './half-paths.ts';
import { quoted } from './paste.ts';
import { reachedFiles } from './reached-files.ts';
import { placesOf } from './writes.ts';

/** Where a call starts from, and what may be known of the world. */
export interface JudgedAt {
  /** The absolute folder that relative paths and commands start from. */
  readonly cwd: string;
  readonly facts: Facts;
  /** The text of an edit call, asked for only where a guard must know what is written. */
  said?(): string;
}

/** A broken rule, with what its own policy says should follow. */
export interface JudgedBreach extends Breach {
  /** What `[actions]` of the policy that was broken says; without an entry the rule's own way, `deny` or `ask`. */
  readonly outcome: Exclude<Action, 'off'>;
  /** Whether the call is this one plain command and nothing else, so that a rewrite can stand in its place. */
  readonly alone: boolean;
}

/** A rule that could not be judged. */
interface JudgeFailure {
  /** `undefined` where nothing at all could be judged, as with a broken config. */
  readonly rule: RuleId | undefined;
  /** What was thrown. */
  readonly error: unknown;
  /** What `[on_error]` says for the rule. */
  readonly onError: 'allow' | 'deny';
}

export interface Judgement {
  /** In the order of the guards' table, without repetitions. */
  readonly breaches: readonly JudgedBreach[];
  readonly failures: readonly JudgeFailure[];
  /** For the human, from guards that let the call go on although they could not judge it as their rule wants. */
  readonly notices: readonly string[];
}

export interface DecideOptions {
  /** Whether the agent can put a question to the person. */
  readonly asks: boolean;
  /** Whether the agent takes a rewritten command. */
  readonly rewrites: boolean;
  /**
   * Counts a denied breach in the session and says how often it was denied, this time included. The key is all that is
   * said of the breach, so another reason is another breach; it holds words of the command and is hashed before it is kept.
   */
  denials?(key: string): number;
  /** Is told what becomes of each broken rule, and of each that could not be judged; for the counts. */
  record?(outcome: CountedOutcome, rule: RuleId | undefined, target: string): void;
}

type CountedOutcome = JudgedBreach['outcome'] | 'fail-open';

/** Judges the commands of one call. Never throws: what goes wrong is in `failures`. */
export function judgeCommands(inputs: readonly CommandInput[], at: JudgedAt): Judgement {
  const ledger = new Ledger(at.facts);
  const calls: { invocation: Invocation; all: readonly Invocation[]; facts: Facts; alone: boolean }[] = [];
  for (const input of inputs) {
    const seen = new Map<Facts, Set<string>>();
    try {
      const { invocations, errors, cutOff, factsAt } = readCommand(input, at);
      const [unread] = errors;
      // What the shell can't read either does not run; a limit of cagr's own is a failure of cagr's.
      if (unread !== undefined)
        ledger.unreadable(new Error(cutOff ?? unread), at.cwd, { isOurs: cutOff !== undefined });
      for (const invocation of invocations) {
        if (invocation.elsewhere) continue;
        const facts = factsAt(invocation);
        if (isRepeated(invocation, facts, seen)) continue;
        const alone = inputs.length === 1 && isWhole(invocation, input);
        calls.push({ invocation, all: invocations, facts, alone });
      }
    } catch (error) {
      ledger.unreadable(error, at.cwd, { isOurs: true });
    }
  }
  for (const guard of commandGuards as readonly CommandGuard[]) {
    for (const { invocation, all, facts, alone } of calls) {
      const isOfFile = invocation.via.some(({ kind }) => kind === 'script-file');
      if (isOfFile && !guard.judgesScriptFiles) continue;
      const dir = invocation.cwd ?? invocation.places?.[0] ?? at.cwd;
      for (const policy of ledger.policiesFor(guard, { dir, facts }, () =>
        writePlaces(guard, invocation.places ? { ...invocation, cwd: dir } : invocation, facts),
      )) {
        if (guard.judgesOwnRepo && isAnotherRepo(facts.repo(dir), facts.repo(policy.root))) continue;
        ledger.ask(guard, policy, alone, () => {
          const answer = inEachPlace(invocation, (placed) => {
            const place = placed.cwd ?? dir;
            const isElsewhere = place !== dir && !guard.judgesWrites && ledger.policyOf(place, facts) !== policy;
            return isElsewhere
              ? undefined
              : guard.judge({ invocation: placed, all, policy, facts, repo: facts.repo(place) });
          });
          return isOfFile && answer ? ofScriptFile(answer, invocation) : answer;
        });
      }
    }
  }
  return ledger.judgement();
}

/** An answer about a call that the agent did not write: it wrote the one that runs the file. */
function ofScriptFile(answer: Verdict | readonly Verdict[] | Pass, { via, text }: Invocation): typeof answer {
  if (isPass(answer)) return answer;
  const called = via.find(({ kind }) => kind === 'script-file' || kind === 'package-script');
  return ('quote' in answer ? [answer] : answer).map((verdict) => ({
    ...verdict,
    quote: called?.text ?? verdict.quote,
    problem: `it runs \`${shorten(text)}\`. ${verdict.problem.charAt(0).toUpperCase()}${verdict.problem.slice(1)}`,
  }));
}

/**
 * Whether the same call was there before in the same world: a loop or a long script says little that is new, and nothing
 * that makes another answer.
 */
function isRepeated(
  { words, listed, env, cwd, redirects, stdin, via }: Invocation,
  facts: Facts,
  known: Map<Facts, Set<string>>,
): boolean {
  if (redirects.length > 0) return false;
  const seen = known.get(facts) ?? new Set();
  known.set(facts, seen);
  const key = JSON.stringify([listed?.words ?? words, cwd, stdin, env.size > 0 ? [...env] : 0, via]);
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}

/** Where a command is in one of a few folders, a rule is broken only if it is in each of them. */
function inEachPlace<Answer>(
  invocation: Invocation,
  judge: (placed: Invocation) => Answer | undefined,
): Answer | undefined {
  const { places = [] } = invocation;
  const [first, ...others] = places.map((cwd) => ({ ...invocation, cwd }));
  if (first === undefined) return judge(invocation);
  const answer = judge(first);
  return answer === undefined || others.some((other) => judge(other) === undefined) ? undefined : answer;
}

/** The paths whose policies a guard on writes judges, besides the policy of the folder that the command runs in. */
function writePlaces(guard: CommandGuard, invocation: Invocation, facts: Facts): readonly string[] {
  if (!guard.judgesWrites) return [];
  const halves = halfReached(invocation).map(({ path }) => filled(path, 'a'));
  return [...reachedFiles(invocation, facts).map(({ path }) => path), ...halves].flatMap((path) =>
    placesOf(path, facts),
  );
}

/** Judges the files of one edit call. Never throws: what goes wrong is in `failures`. */
export function judgeEdits(edits: readonly EditInput[], at: JudgedAt): Judgement {
  const ledger = new Ledger(at.facts);
  for (const guard of editGuards as readonly EditGuard[]) {
    for (const edit of edits) {
      const path = resolveFrom(at.cwd, edit.path);
      const dir = dirname(path);
      const nearest = ledger.policiesFor(guard, { dir, facts: at.facts }, () => placesOf(path, at.facts));
      const isOutside = guard.judgesOutside && nearest.size === 0;
      const asked = isOutside ? ledger.policiesFor(guard, { dir: at.cwd, facts: at.facts }, () => []) : nearest;
      for (const policy of asked) {
        ledger.ask(guard, policy, false, () => {
          const repo = at.facts.repo(dir);
          const written = shownPath(relativeTo(repo?.top ?? policy.root, path) || edit.path);
          const said = (): string => at.said?.() ?? '';
          return guard.judge({ from: at.cwd, written, path, kind: edit.kind, policy, facts: at.facts, repo, said });
        });
      }
    }
  }
  return ledger.judgement();
}

/** Puts everything that was found about one call into one answer. */
export function decide(judgement: Judgement, options: DecideOptions): Decision {
  const { breaches, failures, notices } = judgement;
  const ends = breaches.map((breach) => ({ breach, end: endOf(breach, breaches.length, options) }));
  const closed = failures.filter(({ onError }) => onError === 'deny');
  const stopping = ends.filter(({ end }) => end !== 'warn').map(({ breach }) => breach);
  const denied = closed.length > 0 || ends.some(({ end }) => end === 'deny');
  for (const { breach, end } of ends) {
    options.record?.(denied && end !== 'warn' ? 'deny' : end, breach.rule, breach.target);
  }
  if (denied) {
    for (const { rule } of closed) options.record?.('deny', rule, '');
    // A loop says the same of each of its rounds, and that is one denial.
    const keys = unique(stopping.slice(0, countedBreaches).map(denialKey));
    const again = keys.map((key) => options.denials?.(key) ?? 1);
    const paragraphs = [...sentences(stopping), ...unique(closed.map(closedSentence))];
    if (again.some((times) => times >= 2)) paragraphs.push(repeated);
    return { kind: 'deny', reason: cutText(paragraphs.join('\n\n')) };
  }
  for (const { rule } of failures) options.record?.('fail-open', rule, '');
  const warned = ends.filter(({ end }) => end === 'warn').map(({ breach }) => warning(breach));
  const notice = unique([...warned, ...notices, ...failOpen(failures)]).join('\n');
  const withNotice = notice ? { notice: cutText(notice) } : {};
  if (stopping.length === 0) return notice ? { kind: 'allow', ...withNotice } : allow;
  const [only] = stopping;
  if (ends.some(({ end }) => end === 'rewrite') && only?.rewrite) {
    const instead = `\`${only.rewrite}\` runs in its place.`;
    return { kind: 'rewrite', command: only.rewrite, reason: sentence({ ...only, instead }), ...withNotice };
  }
  // A question is read by the person who answers it, and by the agent where it is answered with no.
  return { kind: 'ask', reason: cutText(sentences(stopping.map(question)).join('\n\n')), ...withNotice };
}

/** All that is said, and the state that it is said in. */
const denialKey = (breach: JudgedBreach): string =>
  breach.state === undefined ? sentence(breach) : `${sentence(breach)}\n${breach.state}`;

function question(breach: JudgedBreach): JudgedBreach {
  return { ...breach, instead: 'Let it through only if this is wanted.' };
}

/** How many breaches of one call are counted; a patch can hold thousands, and each is a file of the session's state. */
const countedBreaches = 10;

const repeated =
  'This call was denied before in this session, and the answer stays the same. Stop trying it, and ask the person how to go on.';

function endOf(breach: JudgedBreach, count: number, { asks, rewrites }: DecideOptions): JudgedBreach['outcome'] {
  if (breach.outcome === 'ask') return asks ? 'ask' : 'deny';
  if (breach.outcome === 'rewrite') {
    return breach.rewrite && breach.alone && count === 1 && rewrites ? 'rewrite' : 'deny';
  }
  return breach.outcome;
}

/** From how many breaches on that differ only in what they quote share one paragraph. */
const manyAlike = 4;

/** One paragraph for each breach. */
function sentences(breaches: readonly JudgedBreach[]): readonly string[] {
  const groups = new Map<string, JudgedBreach[]>();
  for (const breach of withoutRounds(breaches)) {
    const key = [breach.rule, breach.problem, breach.instead].join('\n');
    const group = groups.get(key);
    if (group) group.push(breach);
    else groups.set(key, [breach]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length < manyAlike) return group.map(sentence);
    const quotes = quoted(group.map(({ quote }) => shorten(quote)));
    return [`${quotes} break the rule ${first.rule}: ${first.problem}. ${first.instead}`];
  });
}

/** One breach for what a loop does in each of many rounds: it is written once, and only what to do instead differs. */
function withoutRounds(breaches: readonly JudgedBreach[]): readonly JudgedBreach[] {
  const keyOf = ({ rule, quote, problem }: JudgedBreach): string => [rule, quote, problem].join('\n');
  const first = new Map<string, JudgedBreach>();
  const counts = new Map<string, number>();
  for (const breach of breaches) {
    const key = keyOf(breach);
    if (!first.has(key)) first.set(key, breach);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return breaches.filter((one) => (counts.get(keyOf(one)) ?? 0) < manyAlike || first.get(keyOf(one)) === one);
}

function warning(breach: JudgedBreach): string {
  return `cagr: \`${shorten(breach.quote)}\` breaks the rule ${breach.rule}: ${breach.problem}. It was let through because \`[actions]\` only warns.`;
}

function closedSentence({ rule, error }: JudgeFailure): string {
  const what = rule ? `The rule ${rule}` : 'This call';
  return `${what} could not be judged because of an error, and \`[on_error]\` denies the call then. ${errorText(error)}\nAsk the person to run \`cagr doctor\`.`;
}

function failOpen(failures: readonly JudgeFailure[]): readonly string[] {
  const errors = unique(failures.map(({ error }) => errorText(error)));
  return errors.length > 0 ? [failOpenNotice(errors.join('\n'))] : [];
}

function errorText(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** Whether the call is nothing but this invocation: no wrapper, no variable, no redirect, no second command. */
function isWhole(invocation: Invocation, input: CommandInput): boolean {
  return (
    'script' in input &&
    input.script.trim() === invocation.text.trim() &&
    invocation.via.length === 0 &&
    invocation.env.size === 0 &&
    invocation.redirects.length === 0
  );
}

/** What is found while the guards are asked. */
class Ledger {
  readonly #facts: Facts;
  readonly #breaches = new Map<string, JudgedBreach>();
  readonly #failures = new Map<string, JudgeFailure>();
  readonly #notices = new Set<string>();
  readonly #policies = new WeakMap<Facts, Map<string, Policy | undefined>>();

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** The policy of a folder; a broken config is a failure, and nothing is judged there. */
  policyOf(dir: string, facts = this.#facts): Policy | undefined {
    const known = this.#policies.get(facts) ?? new Map<string, Policy | undefined>();
    this.#policies.set(facts, known);
    if (known.has(dir)) return known.get(dir);
    let policy: Policy | undefined;
    try {
      policy = facts.policy(dir);
    } catch (error) {
      this.#fail({ rule: undefined, error, onError: 'allow' });
    }
    known.set(dir, policy);
    return policy;
  }

  /**
   * The policies that a guard is asked under: the one of the folder that a call starts from and those of the files that
   * it means. Where these can't be found, the rule could not be judged.
   */
  policiesFor(
    guard: Pick<CommandGuard, 'id'>,
    { dir, facts }: { readonly dir: string; readonly facts: Facts },
    places: () => readonly string[],
  ): ReadonlySet<Policy> {
    const policies = new Set<Policy>();
    const add = (policy: Policy | undefined): void => {
      if (policy) policies.add(policy);
    };
    const own = this.policyOf(dir, facts);
    add(own);
    try {
      for (const place of places()) add(this.policyOf(dirname(place), facts));
    } catch (error) {
      this.#fail({ rule: guard.id, error, onError: own?.onError(guard.id) ?? 'allow' });
    }
    return policies;
  }

  ask(
    guard: Pick<CommandGuard, 'id' | 'enabled'>,
    policy: Policy,
    alone: boolean,
    judge: () => Verdict | readonly Verdict[] | Pass | undefined,
  ): void {
    const action = policy.action(guard.id);
    if (action === 'off') return;
    try {
      if (!guard.enabled(policy)) return;
      const answer = judge();
      if (!answer) return;
      if (isPass(answer)) {
        this.#notices.add(answer.notice);
        return;
      }
      for (const verdict of 'quote' in answer ? [answer] : answer) {
        const breach = { ...verdict, rule: guard.id, outcome: action ?? verdict.action ?? 'deny', alone };
        const key = [breach.rule, breach.quote, breach.problem, breach.instead].join('\n');
        if (!this.#breaches.has(key)) this.#breaches.set(key, breach);
      }
    } catch (error) {
      this.#fail({ rule: guard.id, error, onError: policy.onError(guard.id) });
    }
  }

  /** The command could not be read to its end, so no guard can judge all of it. */
  unreadable(error: unknown, dir: string, { isOurs }: { isOurs: boolean }): void {
    const policy = this.policyOf(dir);
    if (!policy) return;
    const closed = (commandGuards as readonly CommandGuard[]).find(
      ({ id, enabled }) => policy.action(id) !== 'off' && enabled(policy) && policy.onError(id) === 'deny',
    );
    if (closed) this.#fail({ rule: closed.id, error, onError: 'deny' });
    else if (isOurs) this.#fail({ rule: undefined, error, onError: 'allow' });
  }

  #fail(failure: JudgeFailure): void {
    const key = [failure.rule ?? '', failure.onError, errorText(failure.error)].join('\n');
    if (!this.#failures.has(key)) this.#failures.set(key, failure);
  }

  judgement(): Judgement {
    return {
      breaches: [...this.#breaches.values()],
      failures: [...this.#failures.values()],
      notices: [...this.#notices],
    };
  }
}
