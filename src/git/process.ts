/** What a git process said. `status` is `null` when it was ended by a signal. */
export interface GitAnswer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

// Loaded with the first git process: hooks load this file, and hardly ever start one.
const childProcess = () => process.getBuiltinModule('node:child_process');

const outputCap = 256 * 1024 * 1024;

/**
 * Runs git in a folder and waits for it. No pager, no prompt, no lazy fetch of missing objects, no lock taken only to
 * refresh the index, and neither file system monitor nor check of signatures, which would be programs that the repo's own
 * git config names. `input` is what it reads.
 *
 * @throws when git can't be started at all; a git that fails is an answer.
 */
export function runGit(args: readonly string[], cwd: string, input = ''): GitAnswer {
  const { status, stdout, stderr, error } = childProcess().spawnSync(
    'git',
    ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'log.showSignature=false', ...args],
    {
      cwd,
      encoding: 'utf8',
      maxBuffer: outputCap,
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
    },
  );
  if (error) throw new Error(`git could not be started: ${error.message}`, { cause: error });
  return { status, stdout, stderr };
}

/**
 * The output of a git command that has to work.
 *
 * @throws with git's own words when it fails.
 */
export function gitOutput(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = runGit(args, cwd);
  if (status !== 0) throw new Error(`\`git ${args.join(' ')}\` failed: ${stderr.trim() || `exit code ${status}`}`);
  return stdout;
}
