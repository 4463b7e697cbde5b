import type { PushCase } from './grammar.ts';
import type { PushPlayground, PushRun } from './playground.ts';
import { renderScript } from './render.ts';

/** How the guards' answer and git's compare for one case. */
export type Outcome =
  /** They agree: a rule is broken, or none is. */
  | 'agreed to stop'
  | 'agreed to pass'
  /** Git refuses the whole command, so nothing moves whatever the guards say. */
  | 'refused'
  /** A guard is silent on what git would do. */
  | 'slip'
  /** A guard stops what git would not do. */
  | 'false alarm'
  /** They differ where the guards can't know better. */
  | 'known'
  /** The guards failed. */
  | 'error';

export interface Comparison {
  readonly outcome: Outcome;
  readonly rule: 'protected-branch' | 'force-push' | undefined;
  readonly script: string;
  /** Both sides, for reading. */
  readonly told: string;
}

const isProtected = (ref: string): boolean => ref === 'refs/heads/main' || /^refs\/heads\/release\/[^/]+$/.test(ref);

/**
 * Whether git forces a ref: it says so, or it rejects the ref because a lease does not hold, which it looks at only where
 * force was asked.
 */
const isForced = ({ lines }: PushRun): boolean =>
  lines.some(
    ({ flag, summary }) =>
      flag === '+' || (flag === '!' && /stale info|remote ref updated since checkout/.test(summary)),
  );

/** What the guards do not follow, as docs/git-oracles.md says. */
const limits: readonly ((given: PushCase) => boolean)[] = [
  // `includeIf.onbranch` holds for the branch that the checkout stands on before the command.
  ({ settings, before }) => settings.some(({ place }) => place === 'onbranch') && before.length > 0,
  // A command that the shell comes to only if another fails counts as run.
  ({ before }) => before.includes('true || git switch main'),
  // To switch to a branch that is not there fails, which `|| true` may hide.
  ({ before, refs }) =>
    before.some((command) => command.includes('|| true')) &&
    before.some((command) => {
      const name = /\bgit (?:switch|checkout)(?: -q)? ([\w/]+)/.exec(command)?.[1];
      return name !== undefined && refs[`refs/heads/${name}`] === undefined;
    }),
  // A push to the repository itself is judged as to any remote, which may have refs that are to go.
  ({ words }) => words.some((word) => word === '.' || word === './'),
];

/** Compares what git would do with what the guards say of one case. */
export function compare(given: PushCase, playground: PushPlayground): Comparison {
  const { script } = renderScript(given, 'guards');
  const { breaches, failures } = playground.judge(given);
  const [failure] = failures;
  if (failure) return { outcome: 'error', rule: undefined, script, told: String(failure.error) };
  const denies = (rule: string): boolean => breaches.some((breach) => breach.rule === rule);
  const there = playground.run(given, true);
  const here = given.seesOther ? playground.run(given, false) : there;
  const lines = [...new Set([...there.lines, ...here.lines])];
  const names = lines.some(({ ref }) => isProtected(ref));
  const forces = isForced(there) || isForced(here);
  const told = [
    `guards: ${breaches.map(({ rule, problem }) => `${rule}: ${problem}`).join('; ') || 'silent'}`,
    `git: ${lines.map(({ flag, ref, summary }) => `${flag} ${ref} ${summary}`).join('; ') || `nothing`}`,
    `ends: ${there.status ?? 'killed'}, ${here.status ?? 'killed'}; ${lastLine(there)}; ${lastLine(here)}`,
    describe(given),
  ].join('\n');
  const result = (outcome: Outcome, rule?: Comparison['rule']): Comparison => {
    const isKnown = (outcome === 'slip' || outcome === 'false alarm') && limits.some((applies) => applies(given));
    return { outcome: isKnown ? 'known' : outcome, rule, script, told };
  };
  if (lines.length === 0 && there.status !== 0 && here.status !== 0) return result('refused');
  if (given.isDry) {
    if (denies('protected-branch')) return result('false alarm', 'protected-branch');
    return denies('force-push') ? result('false alarm', 'force-push') : result('agreed to pass');
  }
  if (names !== denies('protected-branch')) return result(names ? 'slip' : 'false alarm', 'protected-branch');
  if (forces && !denies('force-push')) return result('slip', 'force-push');
  // The guard judges what the command asks for: `--force` counts where there is nothing to force.
  if (denies('force-push') && !forces && !given.asksForce) return result('false alarm', 'force-push');
  return result(breaches.length > 0 ? 'agreed to stop' : 'agreed to pass');
}

const lastLine = ({ stderr }: PushRun): string =>
  stderr
    .trim()
    .split('\n')
    .find((line) => /^(?:fatal|error)/.test(line)) ?? '';

function describe({ head, refs, settings, place }: PushCase): string {
  const set = settings.map(({ key, value, place: where }) => `${where} ${key}=${value ?? ''}`).join(', ');
  return `on ${head ?? 'no branch'} (${place}); ${Object.keys(refs).join(' ')}; ${set}`;
}
