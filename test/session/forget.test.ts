import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hashName } from '../../src/hash.ts';
import { stateFolder } from '../../src/session/folder.ts';
import { forgetCheckout } from '../../src/session/forget.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cagr-forget-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it('takes away the sessions, counts and trusted commands of one checkout alone', () => {
  const state = stateFolder() ?? '';
  const [mine, other] = [hashName('/repo/mine'), hashName('/repo/other')];
  for (const name of [mine, other]) {
    mkdirSync(path.join(state, 'sessions', `${name}-1`), { recursive: true });
    mkdirSync(path.join(state, 'stats', name), { recursive: true });
    mkdirSync(path.join(state, 'trust'), { recursive: true });
    writeFileSync(path.join(state, 'trust', `${name}-person`), '[]');
  }
  expect(forgetCheckout('/repo/mine')).toBe(true);
  expect(['sessions', 'stats', 'trust'].map((kind) => readdirSync(path.join(state, kind)))).toEqual([
    [`${other}-1`],
    [other],
    [`${other}-person`],
  ]);
  expect(forgetCheckout('/repo/mine')).toBe(false);
});

it('has nothing to take away where nothing was kept', () => {
  expect(forgetCheckout('/repo/mine')).toBe(false);
});
