import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createFacts } from '../hook/facts.ts';
import { type GitCall, isOn, lastOption, readGit, wholeWord } from '../shell/git-options.ts';
import { readCommand } from '../shell/invocations.ts';

interface Program {
  readonly parent: number;
  /** As far as the system tells them apart: without /proc, words are parted at white space. */
  readonly argv: readonly string[];
}

/** How many programs stand between git and a hook at most: shells, a hook manager, a runner. */
const furthest = 12;

/**
 * The `--cleanup` of the `git commit` that started this hook, which git does not tell its hooks: the value, `default`
 * where the option is not given, `undefined` where the call can't be found. Starts no git process.
 */
export function cleanupOption(folder: string): string | undefined {
  const call = findCommit(folder);
  return call && (wholeWord(lastOption(call, 'cleanup')?.value) ?? 'default');
}

/** Whether that `git commit` amends the commit before. */
export function isAmending(folder: string): boolean {
  const call = findCommit(folder);
  return call !== undefined && isOn(call, 'amend');
}

function findCommit(folder: string): GitCall | undefined {
  const look = process.platform === 'linux' ? readProc : listedProcesses();
  let pid = process.ppid;
  for (let step = 0; step < furthest && pid > 1; step += 1) {
    const program = look(pid);
    if (program === undefined) return;
    if (/(?:^|[\\/])git(?:-commit)?(?:\.exe)?$/.test(program.argv[0] ?? '')) return commitIn(program.argv, folder);
    pid = program.parent;
  }
  return;
}

/** Aliases are followed, so `git ci` is the commit that it stands for. */
function commitIn(argv: readonly string[], folder: string): GitCall | undefined {
  const { invocations } = readCommand({ argv }, { cwd: folder, facts: createFacts(process.env) });
  return invocations.map((invocation) => readGit(invocation)).find((call) => call?.subcommand === 'commit');
}

function readProc(pid: number): Program | undefined {
  try {
    // proc(5): after the name in parentheses come state and ppid.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { parent, argv: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1) };
  } catch {
    // ENOENT: it has ended. EACCES: it is somebody else's.
    return;
  }
}

function listedProcesses(): (pid: number) => Program | undefined {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const programs = new Map<number, Program>();
  for (const line of (stdout || '').split('\n')) {
    const [pid, parent, ...argv] = line.trim().split(/\s+/);
    programs.set(Number(pid), { parent: Number(parent), argv });
  }
  return (pid) => programs.get(pid);
}
