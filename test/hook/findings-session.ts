import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Decision } from '../../src/decision.ts';
import { AgentSession } from '../checks/agent-session.ts';

export const mode = '[findings]\nmode = "new"\n';

export const stack = (extension: string, onEdit: readonly string[], more = '') =>
  `[stacks.${extension}]\npaths = ["**"]\nextensions = ["${extension}"]\non_edit = ${JSON.stringify(onEdit)}\n${more}\n`;

let agent: AgentSession | undefined;

/** Ends the session of a test. */
export function end(): void {
  agent?.end();
  agent = undefined;
}

export function start(toml: string): AgentSession {
  agent = new AgentSession(toml);
  // Time is what the real limits decide on; here it is about everything else.
  agent.time = { each: 30_000, all: 60_000 };
  return agent;
}

export const opening = 'Your edit has problems. Fix them now.';
export const leftOut = (count: number) =>
  `${count} existing findings in this file were left out; they were there before you started.`;

/** One edit, as the agent makes it: the file before, what it writes, and what it is told. */
export async function edit(here: AgentSession, name: string, text: string): Promise<Decision> {
  expect((await here.aboutToEdit([name])).kind).toBe('allow');
  here.write(name, text);
  return here.edited([name]);
}

/** All files of the repo with their content, to see what was written. */
export function files(here: AgentSession): Readonly<Record<string, string>> {
  const names = readdirSync(here.repo, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.git'))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(name, 'utf8')]));
}

/**
 * A `ruff` that finds every line with BAD in it, and takes 5 ms instead of a Python tool's start: in the environment of the
 * project, as the configured command names it. What it does when it is asked for a report can be said otherwise.
 */
export const ruffReport = `
awk -v file="$PWD/$name" '
  BEGIN { printf "[" }
  /BAD/ { printf "%s{\\"cell\\":null,\\"code\\":\\"X1\\",\\"filename\\":\\"%s\\",\\"location\\":{\\"row\\":%d,\\"column\\":%d},\\"message\\":\\"bad line\\",\\"severity\\":\\"error\\"}", (n++ ? "," : ""), file, NR, index($0, "BAD") }
  END { print "]"; exit n > 0 }'`;

export function withRuff(here: AgentSession, report = ruffReport): void {
  here.write(
    '.venv/bin/ruff',
    `#!/bin/sh
echo "$*" >> "$(dirname "$0")/../../../calls"
name=
for word; do case $last in --stdin-filename) name=$word;; esac; last=$word; done
if [ -n "$name" ]; then ${report}
exit; fi
for file; do :; done
if grep -n BAD "$file" | sed "s/:.*/: bad line/" | grep .; then exit 1; fi
`,
    0o755,
  );
}

export const ruffCommand = '.venv/bin/ruff check {files}';
export const old = 'ok = 1\nBAD = 2\nfine = 3\n';
export const original = (...lines: readonly number[]) =>
  `${opening}\n\n## ${ruffCommand}\n${lines.map((line) => `${line}: bad line`).join('\n')}`;

export function ruffSession(report?: string, toml = mode + stack('py', [ruffCommand])): AgentSession {
  const here = start(toml);
  withRuff(here, report);
  here.write('a.py', old);
  return here;
}

export const calls = (here: AgentSession) => readFileSync(join(here.folder, 'calls'), 'utf8').trim().split('\n');
