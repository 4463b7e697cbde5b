import { existsSync } from 'node:fs';
import path from 'node:path';
import { shell } from '../io/command-line.ts';

/** A program that reads the prompt on stdin and prints its findings. */
export interface Reviewer {
  /** As configured. */
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  /** Variables to take away. */
  readonly without: readonly string[];
}

/**
 * The reviewers that are known by name, each in its headless mode, allowed to read and nothing else. Claude Code: `-p`
 * takes the prompt from stdin; it does not start inside another session of its own, which it sees by `CLAUDECODE`.
 * Codex: `exec -` does the same, and prints its last message alone on stdout.
 */
const known: Readonly<Record<string, Omit<Reviewer, 'name'>>> = {
  claude: {
    argv: [
      'claude',
      '-p',
      '--output-format',
      'text',
      '--allowedTools',
      'Read,Grep,Glob',
      '--disallowedTools',
      'Bash,Edit,Write,MultiEdit,NotebookEdit',
    ],
    without: ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT'],
  },
  codex: { argv: ['codex', 'exec', '--sandbox', 'read-only', '-'], without: [] },
};

/**
 * The reviewer that `[review] command` names: a known one by its name alone, any other text as a command line for `sh`.
 * Without a configured one the first known program on the PATH; `undefined` when there is none.
 */
export function findReviewer(command: string | undefined, searchPath: string): Reviewer | undefined {
  const name = command ?? Object.keys(known).find((program) => isOnPath(program, searchPath));
  if (name === undefined) return;
  const row = Object.hasOwn(known, name.trim()) ? known[name.trim()] : undefined;
  return row ? { name: name.trim(), ...row } : { name, argv: [shell, '-c', name], without: [] };
}

const isOnPath = (program: string, searchPath: string): boolean =>
  searchPath.split(path.delimiter).some((folder) => folder !== '' && existsSync(path.join(folder, program)));
