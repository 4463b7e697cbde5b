import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import type { Policy } from '../../policy/policy.ts';
import { installAdvice } from '../install-advice.ts';
import { ownPath } from '../own-command.ts';
import { type Check, fail, ok } from './check.ts';

/**
 * Starts the committed launcher as the hooks do, and tells which cagr it found and what runs it. `sh -x` shows the line
 * that the launcher hands over to. A cagr that only a package runner has put on the PATH is none that a hook would find.
 */
export function checkLauncher(top: string, policy: Policy): Check {
  const { hooksPath } = policy.git;
  const launcher = `${hooksPath}/cagr`;
  if (!existsSync(path.join(top, launcher))) {
    return fail('launcher', `${launcher} is missing, so no hook can start cagr.`, 'Run `cagr sync`.');
  }
  const { stdout, stderr, error } = spawnSync('sh', ['-x', launcher, '--version'], {
    cwd: top,
    encoding: 'utf8',
    timeout: 10_000,
    env: { ...process.env, PATH: ownPath().join(path.delimiter), PS4: '+ ' },
  });
  if (error) return fail('launcher', `${launcher} could not be started: ${error.message}.`, 'Put `sh` on the PATH.');
  const version = stdout.trim();
  const handedTo = stderr
    .split('\n')
    .findLast((line) => line.startsWith('+ exec '))
    ?.slice('+ exec '.length)
    .replace(/ '?--version'?$/, '');
  if (handedTo === undefined || version === '') {
    return fail(
      'launcher',
      `${launcher} finds no cagr that starts, so the hooks check nothing.`,
      installAdvice(top, policy),
    );
  }
  return ok('launcher', `${launcher} starts cagr ${version}: ${startedBy(handedTo).replace(`${top}/`, '')}.`);
}

/** What runs, and on what: `/…/bin.cjs on Node.js`, `/…/cagr, the native executable`, or a script of somebody else's alone. */
function startedBy(handedTo: string): string {
  const [program = '', ...rest] = handedTo.split(' ');
  if (path.basename(program) === 'node') return `${rest.join(' ')} on Node.js`;
  if (!existsSync(handedTo)) return handedTo;
  const start = firstBytes(handedTo);
  if (/^#!.*\bnode\b/.test(start)) return `${handedTo} on Node.js`;
  return start.startsWith('#!') ? handedTo : `${handedTo}, the native executable`;
}

function firstBytes(file: string): string {
  const bytes = Buffer.alloc(80);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return bytes.toString('latin1').split('\n', 1)[0] ?? '';
}
