import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asAlways, documented, Ground, mounted, type Started, type Turn } from './ground.ts';

let here: Ground;
beforeEach(() => {
  here = new Ground();
});
afterEach(() => here.remove());

/** Nothing can be kept, so nobody knows at the end of the turn what was edited. */
const forgetful: Turn = { ...asAlways, stop: 'notice' };

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((name) => statSync(name).isFile());
}

const isRoot = process.getuid?.() === 0;

type Fault = readonly [name: string, expected: Turn, arrange: () => Started | Promise<Started>];

const faults: readonly Fault[] = [
  ['no temp folder', forgetful, () => ({ env: { TMPDIR: path.join(here.folder, 'nowhere') } })],
  [
    'a file in its place',
    forgetful,
    () => {
      writeFileSync(here.state, '');
      return {};
    },
  ],
  [
    'read-only',
    forgetful,
    () => ({ wrap: mounted('mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"', here.temp, 'chmod 500 "$1"') }),
  ],
  [
    'a full disk',
    forgetful,
    () => ({
      wrap: mounted(
        'mount -t tmpfs -o size=4k,nr_inodes=3 none "$1"; head -c 4096 /dev/zero >"$1/full"; touch "$1/last"',
        here.temp,
        'ulimit -f 0',
      ),
    }),
  ],
  [
    'a full disk, with the folder there',
    forgetful,
    () => ({
      wrap: mounted(
        'mount -t tmpfs -o size=4k none "$1"; mkdir -m 700 "$1/cagr-$(id -u)"; head -c 4096 /dev/zero >"$1/full"',
        here.temp,
        'ulimit -f 0',
      ),
    }),
  ],
  [
    'a link to elsewhere',
    forgetful,
    () => {
      mkdirSync(path.join(here.folder, 'elsewhere'));
      symlinkSync(path.join(here.folder, 'elsewhere'), here.state);
      return {};
    },
  ],
  [
    'owned by another user',
    forgetful,
    () => {
      if (!isRoot) {
        return { wrap: mounted('mkdir "$1/cagr-0"; mount --bind /usr "$1/cagr-0"', here.temp, 'chmod 500 "$1"') };
      }
      mkdirSync(here.state);
      chownSync(here.state, 4_242, 4_242);
      return {};
    },
  ],
  [
    'open to others',
    asAlways,
    () => {
      mkdirSync(here.state);
      chmodSync(here.state, 0o777);
      return {};
    },
  ],
  // What is left of the count of failing stops says too many.
  [
    'damaged files',
    { ...asAlways, stop: 'notice' },
    async () => {
      await here.turn();
      for (const file of filesBelow(here.state)) writeFileSync(file, Buffer.from([0, 0xff, 0x0a, 0x7b]));
      return {};
    },
  ],
  [
    'files from tomorrow',
    asAlways,
    async () => {
      await here.turn();
      const tomorrow = Date.now() / 1_000 + 86_400;
      for (const file of filesBelow(here.state)) utimesSync(file, tomorrow, tomorrow);
      return {};
    },
  ],
];

describe("cagr's folder for state", () => {
  it.each(faults)('%s', async (_, expected, arrange) => {
    const started = await arrange();
    const before = here.outside();
    expect(await here.turn(started)).toEqual(expected);
    expect(here.outside()).toEqual(before);
    expect(here.told).not.toContain('is off for this call');
  });

  it('is in the table of faults', () => {
    expect(documented('The folder for state')).toEqual(faults.map(([name]) => name));
  });
});
