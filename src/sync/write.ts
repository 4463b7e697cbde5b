import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { removeEmptyFolders, writeFile } from './files.ts';
import type { SyncPlan } from './plan.ts';

/**
 * Carries a plan out in a checkout. Every file is written in one step.
 *
 * @throws what the file system throws; the files before the one it failed at are done.
 */
export function applyPlan({ files }: SyncPlan, top: string): void {
  for (const { path: file, change, text, isExecutable, moveTo, keepAs, moveFrom } of files) {
    const target = path.join(top, file);
    const aside = moveTo ?? keepAs;
    if (aside !== undefined) renameSync(target, path.join(top, aside));
    if (text !== undefined) writeFile(target, text, isExecutable);
    if (change !== 'removed') continue;
    if (existsSync(target)) rmSync(target);
    if (moveFrom !== undefined) renameSync(path.join(top, moveFrom), target);
    removeEmptyFolders(path.dirname(target), top);
  }
}
