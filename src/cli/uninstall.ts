import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { stopWorkers } from '../findings/workers.ts';
import { ConfigError } from '../policy/config-error.ts';
import { forgetReviews } from '../review/store.ts';
import { forgetCheckout } from '../session/forget.ts';
import { readFile, writeFile } from '../sync/files.ts';
import { planUninstall } from '../sync/plan.ts';
import { removePrepare } from '../sync/prepare.ts';
import { applyPlan } from '../sync/write.ts';
import { removeCallLines, removeGitHooks } from './hook-removal.ts';
import { result, talk } from './output.ts';
import { tellChanges, tellProblems } from './sync.ts';
import { findPlace, type Place, policyFor } from './target.ts';

/** `cagr uninstall` */
export function register(program: Command): void {
  program
    .command('uninstall')
    .summary('take out exactly what cagr put in')
    .description(
      "Takes cagr's entries out of the agents' hook files, removes its git hooks and launcher, puts back the hooks that made room for them, and unsets `core.hooksPath` if it names their folder. Everything else stays, also cagr.toml.",
    )
    .option('--config', 'remove cagr.toml too, and what cagr kept: reviews, counts, sessions')
    .addHelpText('after', '\nExamples:\n  cagr uninstall\n  cagr uninstall --config')
    .action(async ({ config }: { config?: true }) => {
      const workers = await stopWorkers(findPlace(process.cwd()).top);
      uninstall(config === true);
      if (workers > 0) result('What kept ESLint warm for this checkout is ended.');
    });
}

function uninstall(withConfig: boolean): void {
  const folder = process.cwd();
  const place = findPlace(folder);
  const { top, repo } = place;
  const hooksPath = hooksFolder(place, folder);
  const plan = planUninstall(hooksPath, top);
  applyPlan(plan, top);
  tellChanges(plan);
  const done = [...(repo ? removeGitHooks(repo, hooksPath) : []), ...removeFromPackage(top)];
  for (const sentence of done) result(sentence);
  const { done: cleaned, left } = repo ? removeCallLines(repo, hooksPath) : { done: [], left: [] };
  for (const sentence of cleaned) result(sentence);
  tellProblems(plan);
  if (plan.files.length + done.length + cleaned.length + left.length === 0) talk('Nothing of cagr was here.');
  if (left.length > 0)
    talk(`These still call cagr. Take the lines out:\n${left.map((line) => `  ${line}`).join('\n')}`);
  tellConfig(path.join(top, 'cagr.toml'), withConfig);
  if (withConfig) forget(place);
}

/** What cagr kept of its work goes with the rules; reviews are of all worktrees, so a linked one leaves them. */
function forget({ top, repo }: Place): void {
  if (forgetCheckout(top)) result('What cagr kept of this checkout in the temp folder is removed.');
  if (repo !== undefined && !repo.linked && forgetReviews(repo))
    result('The reviews in .git/cagr/reviews are removed.');
}

/** A broken config is no reason to stay: then the folder is the one that git names, or the usual one. */
function hooksFolder(place: Place, folder: string): string {
  const usual = '.githooks';
  try {
    return policyFor(place, folder)?.git.hooksPath ?? usual;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const configured = place.repo?.config.get('core.hookspath') ?? '';
    return existsSync(path.join(place.top, configured, 'cagr')) && !path.isAbsolute(configured) && configured !== ''
      ? configured
      : usual;
  }
}

function removeFromPackage(top: string): readonly string[] {
  const file = path.join(top, 'package.json');
  const text = readFile(file)?.text;
  const without = text === undefined ? undefined : removePrepare(text);
  if (without === undefined) return [];
  writeFile(file, without, false);
  return ['The `prepare` script in package.json no longer calls cagr.'];
}

function tellConfig(config: string, withConfig: boolean): void {
  if (!existsSync(config)) return;
  if (!withConfig) talk('cagr.toml stays; `cagr uninstall --config` removes it too.');
  else {
    rmSync(config);
    result('cagr.toml is removed.');
  }
}
