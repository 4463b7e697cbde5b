import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { top } from './page.ts';

it('the demo goes as it should, and the picture in the README shows what it prints', () => {
  const args = [path.join(top, 'test/demo/picture.mjs'), '--check'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 55_000 });
  expect(stdout + stderr).toBe('');
  expect(status).toBe(0);
});
