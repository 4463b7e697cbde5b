import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { policyAt } from '../../policy/at.ts';
import { ConfigError } from '../../policy/config-error.ts';
import { findConfig } from '../../policy/find.ts';
import { locateMistakes } from '../../policy/mistakes.ts';
import type { Policy } from '../../policy/policy.ts';
import { type Check, fail, ok, warn } from './check.ts';

export interface ConfigReport {
  readonly checks: readonly Check[];
  /** `undefined` when there is none that can be used. */
  readonly policy: Policy | undefined;
}

/** Finds and loads the config that rules a folder; every mistake in it is a failed line of its own. */
export async function checkConfig(folder: string): Promise<ConfigReport> {
  const file = findConfig(folder);
  if (file === undefined) {
    const text = 'There is no cagr.toml and no pyproject.toml with [tool.cagr] here or above, so nothing is checked.';
    return { checks: [fail('config', text, 'Run `cagr init`.')], policy: undefined };
  }
  try {
    const policy = policyAt(folder);
    return { checks: [ok('config', `${shown(file, folder)} is valid.`), schemaLine(file, folder)], policy };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { mistakes } = await locateMistakes(error);
    const checks = mistakes.map(({ file: where, line, column, key, problem, fix }) => {
      const place = line > 0 ? `${where}:${line}:${column}` : where;
      const what = key !== '' && !problem.includes(`\`${key}\``) ? `${key}: ${problem}` : problem;
      return fail('config', `${place}: ${what}.`, sentenceOf(fix));
    });
    return { checks, policy: undefined };
  }
}

const sentenceOf = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?:]`?$/.test(text) ? '' : '.'}`;

/** Editors complete and check a TOML file that names its schema in its first lines. */
function schemaLine(file: string, folder: string): Check {
  const name = shown(file, folder);
  if (path.basename(file) === 'pyproject.toml') return ok('schema', `${name} needs no schema line.`);
  const head = readFileSync(file, 'utf8').split('\n', 20);
  const line = head.find((each) => each.startsWith('#:schema '));
  const packaged = './node_modules/cagr/cagr.schema.json';
  const isThere = (schema: string): boolean => existsSync(path.join(path.dirname(file), schema));
  if (line !== undefined) {
    const schema = line.slice('#:schema '.length).trim();
    if (!schema.startsWith('.') || isThere(schema)) return ok('schema', `${name} names its schema.`);
    return warn(
      'schema',
      `${name} names a schema that is not here, so editors can't complete it: ${schema}.`,
      'Install the packages of the repo, or take the line out where cagr is not one of them.',
    );
  }
  if (!isThere(packaged)) return ok('schema', `${name} names no schema, and the repo has no package with one.`);
  return warn(
    'schema',
    `${name} names no schema, so editors can't complete it.`,
    `Add this as its first line: \`#:schema ${packaged}\``,
  );
}

function shown(file: string, folder: string): string {
  const relative = path.relative(folder, file);
  return relative.startsWith(path.join('..', '..', '..')) ? file : relative;
}
