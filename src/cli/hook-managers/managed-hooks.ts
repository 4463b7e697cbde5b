import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { removeEmptyFolders, writeFile } from '../../sync/files.ts';

/** The checkout whose git hooks a manager runs. */
export interface ManagedCheckout {
  readonly top: string;
  /** The folder that git takes hooks from when nothing is set: `<git common dir>/hooks`. */
  readonly gitHooks: string;
  /** What `core.hooksPath` names; empty where it is not set. */
  readonly configured: string;
  /** `[git] hooks_path`. */
  readonly hooksPath: string;
}

/** What becomes of one file; relative to the top. */
export interface FileEdit {
  readonly path: string;
  /** `undefined`: the file goes. */
  readonly text: string | undefined;
  readonly isExecutable: boolean;
  /** The file of cagr's whose lines, which somebody else wrote, are kept in this one. */
  readonly keeps?: string;
}

/**
 * A program that installs git hooks by itself, and loses them or takes them back when `core.hooksPath` is set beside it. So
 * cagr's hooks are called from its own hooks or config, and `uninstall` gives back every byte. Plans are made from files
 * alone; `hook-setup.ts` carries them out.
 */
export interface HookManager {
  readonly name: string;
  /** Whether it runs the git hooks of a checkout. */
  isHere(checkout: ManagedCheckout): boolean;
  /**
   * What makes it run cagr's hooks too, in front of its own, each of its readers still seeing every ref of a push; no edits
   * where it does so already. `undefined`: its config is of a kind that only a person can change.
   */
  adopt(checkout: ManagedCheckout): readonly FileEdit[] | undefined;
  /** What takes that out again; no edits where nothing of cagr's is there. */
  release(checkout: ManagedCheckout): readonly FileEdit[];
  /** How a person does it by hand: sentences and lines to paste. */
  steps(checkout: ManagedCheckout): readonly string[];
  /** Which of a checkout's files its hooks or its config stand in, as far as cagr's lines may be there. */
  files(checkout: ManagedCheckout): readonly string[];
  /** What was done, in a full sentence. */
  told(checkout: ManagedCheckout): string;
  /** The call that makes it write its hooks anew after its config has changed; `undefined` where it needs none. */
  refresh(checkout: ManagedCheckout): readonly [string, ...string[]] | undefined;
}

/** Carries a plan out. */
export function applyEdits(edits: readonly FileEdit[], top: string): void {
  for (const { path: name, text, isExecutable } of edits) {
    const file = path.resolve(top, name);
    if (text !== undefined) writeFile(file, text, isExecutable);
    else {
      rmSync(file, { force: true });
      removeEmptyFolders(path.dirname(file), top);
    }
  }
}

/** Starts a manager, of the repo's packages or of this machine; one that is not there, or fails, shows in what git runs. */
export function startManager([program, ...args]: readonly [string, ...string[]], top: string): void {
  const bin = path.join(top, 'node_modules/.bin');
  spawnSync(program, args, {
    cwd: top,
    stdio: 'ignore',
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` },
  });
}

/** A path as a word for sh. */
export const shellPath = (file: string): string =>
  /^[\w./-]+$/.test(file) ? file : `"${file.replaceAll(/[\\"$`]/g, '\\$&')}"`;
