import { existsSync } from 'node:fs';
import path from 'node:path';
import { type FileState, readFile } from './files.ts';
import type { HookFile } from './hook-entries.ts';
import { type Merge, mergeHooks, removeHooks } from './merge.ts';
import { beforeSuffix, isOwnText, type OwnFile, ownFiles, render, type SyncPolicy } from './render.ts';

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
  /** Which file comes back to this place once cagr's own is gone. */
  readonly moveFrom?: string;
}

/** A file that can't be brought to what it should be, with the reason and what to do, in full sentences. */
interface FileProblem {
  readonly path: string;
  readonly message: string;
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
    if ('message' in one) problems.push(one);
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
    return { path: file, message: `${file} can't be read: ${error instanceof Error ? error.message : String(error)}.` };
  }
  return plan(state);
}

function planMerge(
  file: HookFile,
  state: FileState | undefined,
  merge: (text: string | undefined, file: HookFile) => Merge,
): Planned {
  if (state && state.text === undefined) {
    return { path: file.path, message: `${file.path} is not UTF-8 text, so it was left alone. Save it as UTF-8.` };
  }
  const before = state?.text;
  const merged = merge(before, file);
  if ('mistake' in merged) {
    const { line, column, problem } = merged.mistake;
    return {
      path: file.path,
      message: `${file.path}:${line}:${column}: ${problem}. The file was left alone. Mend it, then run the command again.`,
    };
  }
  const plan = { path: file.path, isExecutable: false };
  if (merged.text === before)
    return before === undefined || file.entries.length === 0 ? undefined : { ...plan, change: 'unchanged' };
  if (merged.text === undefined) return { ...plan, change: 'removed' };
  return { ...plan, change: before === undefined ? 'created' : 'updated', text: merged.text };
}

function planOwn(
  { path: file, text, isExecutable, foreign }: OwnFile,
  state: FileState | undefined,
  top: string,
): Planned {
  const plan = { path: file, isExecutable };
  if (!state) return { ...plan, change: 'created', text };
  if (state.text === text && (state.isExecutable || !isExecutable)) return { ...plan, change: 'unchanged' };
  if (state.text === text || isOwnText(state.text ?? '')) return { ...plan, change: 'updated', text };
  if (foreign === 'keep') return;
  if (foreign === 'refuse') {
    return {
      path: file,
      message: `${file} is not a file of cagr's, so it was left alone. Move it away, or set another \`hooks_path\`.`,
    };
  }
  const moveTo = file + beforeSuffix;
  if (existsSync(path.join(top, moveTo))) {
    return {
      path: file,
      message: `${file} is another hook, and ${moveTo}, where it would go, is taken. Make one hook of the two and leave it in ${file}.`,
    };
  }
  return { ...plan, change: 'created', text, moveTo };
}

function planRemoval({ path: file, isExecutable }: OwnFile, state: FileState | undefined, top: string): Planned {
  const before = file + beforeSuffix;
  const moveFrom = existsSync(path.join(top, before)) ? { moveFrom: before } : {};
  if (state && !isOwnText(state.text ?? '')) {
    if (!moveFrom.moveFrom) return;
    return {
      path: file,
      message: `${file} is another hook, so ${before} could not come back. Make one hook of the two.`,
    };
  }
  if (!state && !moveFrom.moveFrom) return;
  return { path: file, isExecutable, change: 'removed', ...moveFrom };
}
