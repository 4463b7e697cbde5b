import { existsSync } from 'node:fs';
import path from 'node:path';
import type { JavaScriptManager, Policy } from '../policy/policy.ts';
import { asTable, javascriptManagers, readPackageJson } from './package-json.ts';

const adding: Readonly<Record<JavaScriptManager, string>> = {
  npm: 'npm install --save-dev cagr',
  pnpm: 'pnpm add -D cagr',
  yarn: 'yarn add -D cagr',
  bun: 'bun add -d cagr',
  deno: 'deno add -D npm:cagr',
};

/**
 * What a person does so that the hooks find a cagr, as a sentence: the hooks start the one of the repo, or else the one on
 * the PATH.
 */
export function installAdvice(top: string, { packageManagers }: Policy): string {
  const packageJson = readPackageJson(top);
  if (packageJson === undefined) return 'Install cagr on this machine: `npm install --global cagr`.';
  const manager = packageManagers.javascript ?? javascriptManagers(top, packageJson)[0] ?? 'npm';
  const isNamed = 'cagr' in asTable(packageJson.devDependencies) || 'cagr' in asTable(packageJson.dependencies);
  return isNamed
    ? `Install the packages of the repo: \`${manager} install\`.`
    : `Add cagr to the repo, so that every clone has it: \`${adding[manager]}\`.`;
}

/** Whether the packages of the repo hold cagr. */
export const hasOwnPackage = (top: string): boolean => existsSync(path.join(top, 'node_modules/cagr/package.json'));
