import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { program } from '../support/cagr.ts';
import { top } from './page.ts';

const { scripts } = JSON.parse(readFileSync(path.join(top, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

const helps = new Map<string, string>();

/** What `cagr <command> --help` prints. */
function helpOf(command: string): string {
  const known = helps.get(command);
  if (known !== undefined) return known;
  const [file, ...first] = program;
  const { stdout, status } = spawnSync(file, [...first, ...command.split(' '), '--help'], { encoding: 'utf8' });
  const help = status === 0 ? stdout : '';
  helps.set(command, help);
  return help;
}

/** Why a line of a script can't be right although it isn't run: it names a command or option of cagr's, or an npm script, that is not there. */
export function commandFlaw(line: string): string | undefined {
  const words = line
    .replace(/(?:^|\s)#.*$/, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const script = /\bnpm run ([\w:-]+)/.exec(line)?.[1];
  if (script !== undefined && line.startsWith('npm run') && !Object.hasOwn(scripts, script))
    return `no script ${script}`;
  const at = words.findIndex((word) => /(?:^|\/)cagr$/.test(word));
  const isCall = at === 0 || (at > 0 && /^(?:npx|bunx|&&|exec|yarn|run|\|)$/.test(words[at - 1] ?? ''));
  const [verb, ...rest] = words.slice(at + 1);
  if (!isCall || verb === undefined || verb.startsWith('-')) return undefined;
  const help = helpOf(verb);
  if (help === '') return `no command cagr ${verb}`;
  const option = rest.find((word) => /^--[a-z]/.test(word) && !help.includes(word.split('=')[0] ?? ''));
  return option === undefined ? undefined : `cagr ${verb} has no ${option}`;
}
