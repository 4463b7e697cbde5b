import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sandbox } from './conformance/sandbox.ts';

// cagr's own repo lives by its own rules; they are tried in a clone, never in this checkout.
const top = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'cagr-self-'));
const clone = path.join(folder, 'clone');
let sandbox: Sandbox;

beforeAll(() => {
  sandbox = new Sandbox();
  expect(sandbox.shell(`git clone -q "${top}" "${clone}"`).exit).toBe(0);
  // What is not committed yet counts too.
  cpSync(path.join(top, 'cagr.toml'), path.join(clone, 'cagr.toml'));
  cpSync(path.join(top, '.githooks'), path.join(clone, '.githooks'), { recursive: true });
});

afterAll(() => {
  sandbox.remove();
  rmSync(folder, { recursive: true, force: true });
});

const inClone = (script: string) => sandbox.shell(`exec 2>&1; cd "${clone}" && ${script}`);

describe("cagr's own repo", () => {
  it('has a checkout in which cagr is not switched on', () => {
    expect(sandbox.shell(`git -C "${top}" config --local core.hooksPath`).stdout).toBe('');
    expect(['.claude', '.codex'].filter((name) => existsSync(path.join(top, name)))).toEqual([]);
  });

  it('has the git hooks that sync writes, and sync changes nothing', () => {
    const before = ['cagr', 'commit-msg', 'pre-push'].map((name) =>
      readFileSync(path.join(top, '.githooks', name), 'utf8'),
    );
    expect(inClone('cagr sync').stdout).not.toContain('updated');
    const after = before.map((_, index) =>
      readFileSync(path.join(clone, '.githooks', ['cagr', 'commit-msg', 'pre-push'][index] ?? ''), 'utf8'),
    );
    expect(after).toEqual(before);
    expect(inClone('cagr sync --check').exit).toBe(0);
  });

  it("keeps its policy's own tests", () => {
    const { exit, stdout } = inClone('cagr test');
    expect(stdout).not.toContain('FAIL');
    expect(exit).toBe(0);
  });

  it('has a history in which every subject keeps the rule', () => {
    const subjects = inClone('git log --format=%s').stdout.trim().split('\n');
    expect(subjects.length).toBeGreaterThan(0);
    const message = path.join(folder, 'message');
    const refused = subjects.filter((subject) => {
      writeFileSync(message, `${subject}\n`);
      return inClone(`cagr git-hook commit-msg "${message}"`).exit !== 0;
    });
    expect(refused).toEqual([]);
  });

  it('refuses a bad subject in a clone where cagr is switched on', () => {
    const { exit, stdout } = inClone('cagr install-git-hooks && git commit --allow-empty -m "Fixed it"');
    expect(stdout).toContain('commit-message');
    expect(exit).not.toBe(0);
    expect(inClone('git commit -q --allow-empty -m "fix: mend it"').exit).toBe(0);
  });
});
