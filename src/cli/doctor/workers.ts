import { commandWorker } from '../../findings/call-worker.ts';
import { eligibleCommands } from '../../findings/eligible.ts';
import type { NoWorker, WorkerPlace } from '../../findings/worker-place.ts';
import { isResting, isTooSlow } from '../../findings/worker-start.ts';
import { type KnownWorker, workersOf } from '../../findings/workers.ts';
import type { Policy } from '../../policy/policy.ts';
import { type Check, ok, warn } from './check.ts';

const name = 'ESLint worker';

const stopIt = '`cagr doctor --stop-workers`';

/** The processes that keep ESLint warm for this checkout, or why there are none where there could be. */
export async function checkWorkers(policy: Policy, top: string): Promise<readonly Check[]> {
  const running = (await workersOf(top)).map(tellRunning);
  const wanted = wantedPlaces(policy);
  if (running.length > 0 || wanted.length === 0) return running;
  if (!policy.findings.worker) {
    return [ok(name, 'It is switched off, so ESLint is compared only where it starts and ends within 250 ms.')];
  }
  const [place] = wanted;
  if (typeof place === 'string') return [tellMissing(place)];
  if (wanted.some((each) => typeof each !== 'string' && isResting(each))) {
    return [
      warn(
        name,
        'It came to a bad end several times in a row, so none is started for 10 minutes: ESLint needs more memory than it may have, or a rule does not end.',
        'Run ESLint on the files that were edited last to see which. `[findings] worker = false` in cagr.toml switches the worker off.',
      ),
    ];
  }
  if (wanted.every((each) => typeof each !== 'string' && isTooSlow(each))) {
    return [
      warn(
        name,
        'ESLint takes longer than the 900 ms that a comparison has, so every finding blocks and nothing keeps ESLint warm.',
        'Check less in `on_edit`: rules that need types are the slow ones, and can run in `on_turn_end`.',
      ),
    ];
  }
  return [ok(name, 'None runs now; the next session or edit starts one.')];
}

/** Where a worker would be, for each command of ESLint's that is compared. */
function wantedPlaces(policy: Policy): readonly (WorkerPlace | NoWorker)[] {
  if (policy.findings.mode !== 'new' || policy.action('check/on-edit') === 'off') return [];
  return eligibleCommands(policy).flatMap((command) => commandWorker(command, policy.root)?.place ?? []);
}

function tellRunning({ record, status }: KnownWorker): Check {
  if (!status) {
    const text = `Process ${record.pid} does not answer: it looks at a file right now, or hangs.`;
    return warn(name, text, `${stopIt} ends it; the next edit starts a new one.`);
  }
  const { version, startedAt, memory, reports } = status;
  const age = duration(Date.now() - startedAt);
  return ok(
    name,
    `ESLint ${version} is kept warm: process ${status.pid}, ${age} old, ${Math.round(memory / 1e6)} MB, ${reports} ${reports === 1 ? 'report' : 'reports'}. ${stopIt} ends it.`,
  );
}

const missing: Readonly<Record<NoWorker, readonly [text: string, fix?: string]>> = {
  'no package': [
    'The configured ESLint is not found here as a package of version 9 or 10, so nothing keeps it warm.',
    'Install the packages of the repo, with ESLint 9 or 10 among them.',
  ],
  'no node': [
    'There is no `node` on the PATH, so ESLint is not compared.',
    'Install Node.js: https://nodejs.org/en/download',
  ],
  'no script': [
    'eslint-worker.cjs is not beside the program of cagr, so nothing keeps ESLint warm.',
    'Install cagr as a package: the executable alone is not all of it.',
  ],
  'no folder': [
    "The temp folder can't hold cagr's state, so nothing keeps ESLint warm.",
    'Point TMPDIR to a folder of your own.',
  ],
  'long path': [
    'The path of the temp folder is too long for a socket, so nothing keeps ESLint warm.',
    'Point TMPDIR to a shorter path.',
  ],
  suppressions: [
    'eslint-suppressions.json says what counts here, so ESLint is compared only where it starts and ends within 250 ms.',
  ],
};

function tellMissing(reason: NoWorker): Check {
  const [text, fix] = missing[reason];
  return fix === undefined ? ok(name, text) : warn(name, text, fix);
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}
