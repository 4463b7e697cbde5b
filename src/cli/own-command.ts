import { existsSync } from 'node:fs';
import path from 'node:path';
import { ownCalls } from '../guards/own-call.ts';
import { javascriptManagers, readPackageJson } from './package-json.ts';

/** How a cagr is typed that a package runner fetched: by the folder that the runner keeps it in. */
const fetched: readonly (readonly [mark: RegExp, command: string])[] = [
  [/[\\/]_npx[\\/]/, 'npx cagr'],
  [/[\\/]bunx-/, 'bunx cagr'],
  [/[\\/]dlx[-\\/]/, 'pnpm dlx cagr'],
];

/** A text for a person, with each `cagr …` in it as it can be typed in the current folder. */
export const asTyped = (text: string): string =>
  text.includes('`cagr ') ? text.replaceAll('`cagr ', () => `\`${ownCommand(process.cwd())} `) : text;

/** How a person starts cagr in a folder: by its name where it is on the PATH, else through the repo's package manager. */
function ownCommand(folder: string): string {
  if (ownPath().some((each) => hasProgram(each))) return 'cagr';
  for (let current = folder; ; current = path.dirname(current)) {
    if (hasProgram(path.join(current, 'node_modules/.bin'))) {
      return ownCalls[javascriptManagers(current, readPackageJson(current))[0] ?? 'npm'];
    }
    if (current === path.dirname(current)) break;
  }
  const started = process.argv[1] ?? '';
  return fetched.find(([mark]) => mark.test(started))?.[1] ?? 'cagr';
}

const hasProgram = (folder: string): boolean =>
  ['cagr', 'cagr.cmd', 'cagr.exe'].some((name) => existsSync(path.join(folder, name)));

/** The folders of the PATH without those that a package runner or a script put there for this one start. */
export const ownPath = (): readonly string[] =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '' && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder));
