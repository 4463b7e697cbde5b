import { existsSync } from 'node:fs';
import path from 'node:path';
import { agentNamed } from '../agents/index.ts';
import { type FileState, keptName, readFile } from './files.ts';
import type { HookFile } from './hook-entries.ts';
import type { JsonMistake } from './json-text.ts';
import { hookFileMistake, type Merge, mergeHooks, removeHooks } from './merge.ts';
import { beforeSuffix, isOwnText, type OwnFile, ownFiles, render, type SyncPolicy } from './render.ts';
import { isChanged } from './seal.ts';

/** What becomes of one file. */
export interface FilePlan {
  /** Relative to the top of the checkout, with `/`. */
  readonly path: string;
  readonly change: 'created' | 'updated' | 'unchanged' | 'removed';
  /** The text to write; left out where the file stays or goes. */
  readonly text?: string;
  readonly isExecutable: boolean;
  /** Where the file that lies there has to go first. */
  readonly moveTo?: string;
  /** Where cagr's own file that somebody changed goes first, so that nothing of theirs is lost. */
  readonly keepAs?: string;
  /** Which file comes back to this place once cagr's own is gone. */
  readonly moveFrom?: string;
}

/** A file that can't be brought to what it should be, with the reason and what to do, each in full sentences. */
export interface FileProblem {
  readonly path: string;
  readonly problem: string;
  readonly fix: string;
}

export interface SyncPlan {
  readonly files: readonly FilePlan[];
  readonly problems: readonly FileProblem[];
}

/** What `sync` would do in a checkout; reads files, writes none. */
export function planSync(policy: SyncPolicy, top: string): SyncPlan {
  const { hookFiles, ownFiles: own } = render(policy);
  return collect([
    ...hookFiles.map((file) => planFile(top, file.path, (state) => planMerge(file, state, mergeHooks))),
    ...own.map((file) => planFile(top, file.path, (state) => planOwn(file, state, top))),
  ]);
}

/** What `uninstall` would do; `folder` is the folder of the git hooks. */
export function planUninstall(folder: string, top: string): SyncPlan {
  const { hookFiles } = render({ agents: [], git: { hooksPath: folder } });
  return collect([
    ...hookFiles.map((file) => planFile(top, file.path, (state) => planMerge(file, state, removeHooks))),
    ...ownFiles(folder).map((file) => planFile(top, file.path, (state) => planRemoval(file, state, top))),
  ]);
}

type Planned = FilePlan | FileProblem | undefined;

function collect(planned: readonly Planned[]): SyncPlan {
  const files: FilePlan[] = [];
  const problems: FileProblem[] = [];
  for (const one of planned) {
    if (!one) continue;
    if ('problem' in one) problems.push(one);
    else files.push(one);
  }
  return { files, problems };
}

function planFile(top: string, file: string, plan: (state: FileState | undefined) => Planned): Planned {
  let state: FileState | undefined;
  try {
    state = readFile(path.join(top, file));
  } catch (error) {
    // EISDIR, EACCES, ELOOP: the other files are still handled.
    const problem = `${file} can't be read: ${error instanceof Error ? error.message : String(error)}.`;
    return { path: file, problem, fix: 'Make it a file that you may read.' };
  }
  return plan(state);
}

function planMerge(
  file: HookFile,
  state: FileState | undefined,
  merge: (text: string | undefined, file: HookFile) => Merge,
): Planned {
  if (state && state.text === undefined) {
    return {
      path: file.path,
      problem: `${file.path} is not UTF-8 text, so it is left alone.`,
      fix: 'Save it as UTF-8.',
    };
  }
  const before = state?.text;
  const mistake = before === undefined || file.entries.length === 0 ? undefined : hookFileMistake(before);
  if (mistake) return unreadable(file, mistake);
  const merged = merge(before, file);
  if ('mistake' in merged) return unreadable(file, merged.mistake);
  const plan = { path: file.path, isExecutable: false };
  if (merged.text === before)
    return before === undefined || file.entries.length === 0 ? undefined : { ...plan, change: 'unchanged' };
  if (merged.text === undefined) return { ...plan, change: 'removed' };
  return { ...plan, change: before === undefined ? 'created' : 'updated', text: merged.text };
}

function unreadable(
  { agent, path: file, entries }: HookFile,
  { line, column, problem, fix }: JsonMistake,
): FileProblem {
  const title = agentNamed(agent)?.title ?? agent;
  const effect = entries.length > 0 ? ` ${title} leaves a file with a mistake out, so none of its hooks run.` : '';
  return {
    path: file,
    problem: `${file}:${line}:${column}: ${problem}.${effect}`,
    fix: `${fix}, then run the command again.`,
  };
}

function planOwn(
  { path: file, text, isExecutable, foreign }: OwnFile,
  state: FileState | undefined,
  top: string,
): Planned {
  const plan = { path: file, isExecutable };
  if (!state) return { ...plan, change: 'created', text };
  if (state.text === text && (state.isExecutable || !isExecutable)) return { ...plan, change: 'unchanged' };
  if (state.text === text || isOwnText(state.text ?? '')) {
    return { ...plan, change: 'updated', text, ...kept(file, foreign, state, top) };
  }
  if (foreign === 'keep') return;
  if (foreign === 'refuse') {
    return {
      path: file,
      problem: `${file} is not a file of cagr's, so it is left alone.`,
      fix: 'Move it away, or set another `hooks_path`.',
    };
  }
  const moveTo = file + beforeSuffix;
  if (existsSync(path.join(top, moveTo))) {
    return {
      path: file,
      problem: `${file} is another hook, and ${moveTo}, where it would go, is taken.`,
      fix: `Make one hook of the two and leave it in ${file}.`,
    };
  }
  return { ...plan, change: 'created', text, moveTo };
}

/** What becomes of the lines that somebody wrote into a script of cagr's; a launcher or a list of attributes is cagr's alone. */
function kept(file: string, foreign: OwnFile['foreign'], { text = '' }: FileState, top: string): { keepAs?: string } {
  return foreign === 'move' && isChanged(text) ? { keepAs: keptName(file, top) } : {};
}

function planRemoval(
  { path: file, isExecutable, foreign }: OwnFile,
  state: FileState | undefined,
  top: string,
): Planned {
  const before = file + beforeSuffix;
  const moveFrom = existsSync(path.join(top, before)) ? { moveFrom: before } : {};
  if (state && !isOwnText(state.text ?? '')) {
    if (!moveFrom.moveFrom) return;
    return {
      path: file,
      problem: `${file} is another hook, so ${before} could not come back.`,
      fix: 'Make one hook of the two.',
    };
  }
  if (!state && !moveFrom.moveFrom) return;
  const lost = state ? kept(file, foreign, state, top) : {};
  return { path: file, isExecutable, change: 'removed', ...lost, ...moveFrom };
}
