import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '../io/command-line.ts';
import { toolNamed } from '../tools/index.ts';
import type { CheckTool, ReportCall } from '../tools/tool.ts';
import { type Programs, programsOf, withoutRunner } from './direct.ts';

/** A configured command whose findings can be compared. */
export interface ComparableCommand {
  readonly tool: CheckTool;
  readonly call: ReportCall;
  /** The words that start the tool, in front of its arguments. */
  readonly launch: readonly string[];
}

/**
 * Reads a configured command as a call of a supported tool. `undefined`: another program, shell syntax, a flag that is
 * not supported, or a tool that its runner would have to fetch first.
 *
 * @param root the absolute folder that it runs in.
 */
export function comparableCommand(command: string, root: string): ComparableCommand | undefined {
  const line = readCommandLine(command);
  const started = line.kind === 'words' ? readStart(line.words, root) : undefined;
  if (!started) return undefined;
  const tool = toolNamed(started.name);
  const call = tool?.recognise(started.args);
  return tool && call ? { tool, call, launch: started.launch } : undefined;
}

interface Started {
  readonly name: string;
  readonly launch: readonly string[];
  readonly args: readonly string[];
}

/** The tools that come as packages of npm. */
const nodeTools = new Set(['eslint', 'biome']);

function readStart(words: readonly string[], root: string): Started | undefined {
  const programs = programsOf(root);
  const behindRunner = withoutRunner(words, programs);
  if (behindRunner) {
    const [name = '', ...args] = behindRunner;
    return nodeTools.has(name) ? startFrom(name, args, programs.find(name), programs) : undefined;
  }
  const [first = '', ...rest] = words;
  const folder = toolFolders.find((path) => first.startsWith(path) || first.startsWith(`./${path}`));
  if (folder !== undefined) {
    const name = first.slice(first.indexOf(folder) + folder.length);
    return startFrom(name, rest, join(root, first), programs);
  }
  const python = pythonStart(words, root);
  if (python) return python;
  return startFrom(first, rest, first === 'biome' ? programs.find(first) : first, programs);
}

/** Where tools stand in a repo; a program of such a name elsewhere is one of the repo's own. */
const toolFolders = ['node_modules/.bin/', '.venv/bin/', 'venv/bin/'];

/** Biome is compared with the repo's own binary alone, started without its starter script where that is possible. */
function startFrom(
  name: string,
  args: readonly string[],
  program: string | undefined,
  programs: Programs,
): Started | undefined {
  if (program === undefined) return undefined;
  const launch = name === 'biome' ? (programs.nativeBiome(program) ?? program) : program;
  return { name, launch: [launch], args };
}

const pythons = new Set(['python', 'python3']);

const projectRunners = new Set(['uv', 'poetry', 'pdm', 'pipenv']);

/**
 * `python -m ruff`, `uvx ruff`, and `uv run ruff` and its like; these may bring the environment up to date first, so a
 * report takes the program from the environment itself.
 */
function pythonStart(words: readonly string[], root: string): Started | undefined {
  const [first = '', second, third, ...rest] = words;
  if (pythons.has(first) && second === '-m' && third === 'ruff') {
    return { name: 'ruff', launch: [first, '-m', 'ruff'], args: rest };
  }
  if (first === 'uvx' && second === 'ruff') return { name: 'ruff', launch: ['uvx', 'ruff'], args: words.slice(2) };
  if (!projectRunners.has(first) || second !== 'run' || third !== 'ruff') return undefined;
  const program = join(root, '.venv', 'bin', 'ruff');
  return existsSync(program) ? { name: 'ruff', launch: [program], args: rest } : undefined;
}
