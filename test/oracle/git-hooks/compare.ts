import { type HookCase, renderScript } from './grammar.ts';
import type { HookPlayground, HookRun } from './playground.ts';

/** How the guard's answer and git's doings compare for one case. */
export type Outcome =
  /** They agree: a rule is broken, or none is. */
  | 'agreed to stop'
  | 'agreed to pass'
  /** The command fails, so that it goes round no hook whatever the guard says. */
  | 'refused'
  /** The guard is silent on a command that goes round a hook. */
  | 'slip'
  /** The guard stops a command that goes round none. */
  | 'false alarm'
  /** The guards failed. */
  | 'error';

export interface Comparison {
  readonly outcome: Outcome;
  readonly script: string;
  /** Both sides, for reading. */
  readonly told: string;
}

/** The hooks that ran without the suspects and not, or not so often, with them. */
function missing(withSuspects: HookRun, without: HookRun): readonly string[] {
  const left = [...withSuspects.marks];
  return without.marks.filter((mark) => {
    const at = left.indexOf(mark);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const isSuspicious = ({ before, variables, globals, words, alias }: HookCase): boolean =>
  [...before, ...variables, ...globals, ...words].some((piece) => piece.isSuspect) ||
  (alias !== undefined && alias.value !== alias.harmless);

const setsSkipVariable = ({ before, variables }: HookCase): boolean =>
  [...before, ...variables].some(({ text }) => /\bCAGR_SKIP=(?:1|true)$/.test(text));

/** Compares what becomes of the hooks with what the guard says of one case. */
export function compare(given: HookCase, playground: HookPlayground): Comparison {
  const { script } = renderScript(given, true, playground.top);
  const { breaches, failures } = playground.judge(given);
  const [failure] = failures;
  if (failure) return { outcome: 'error', script, told: String(failure.error) };
  const denied = breaches.find(({ rule }) => rule === 'hook-skip');
  const guard = `guard: ${denied?.problem ?? 'silent'}`;
  // A command without any suspect is its own comparison.
  if (!isSuspicious(given)) return { outcome: denied ? 'false alarm' : 'agreed to pass', script, told: guard };
  const one = playground.run(given, true);
  const other = playground.run(given, false);
  const gone = missing(one, other);
  const told = [
    guard,
    `hooks: ${one.marks.join(' ')} (${one.status ?? 'killed'})${one.isDisarmed ? ', disarmed' : ''}`,
    `without suspects: ${other.marks.join(' ')} (${other.status ?? 'killed'})`,
    `${given.state}, hooks in ${given.hooksIn}${given.alias ? `, ci = ${given.alias.value}` : ''}; ${one.stderr.trim().split('\n').slice(0, 3).join(' / ')}`,
  ].join('\n');
  if (one.status !== 0 && !one.isDisarmed) return { outcome: 'refused', script, told };
  const skips = gone.length > 0 || one.isDisarmed;
  // An agent may not set the skip variable at all, whatever the command does with it.
  if (denied && setsSkipVariable(given)) return { outcome: 'agreed to stop', script, told };
  const agreed = skips ? 'agreed to stop' : 'agreed to pass';
  const differ = skips ? 'slip' : 'false alarm';
  return { outcome: skips === (denied !== undefined) ? agreed : differ, script, told };
}
