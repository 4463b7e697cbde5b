import { append, layoutOf, readJson, remove, valueAt } from './json-text.ts';

const install = 'cagr install-git-hooks --quiet';

/**
 * What npm, pnpm, yarn 1 and bun run after an install in the repo itself: a fresh clone gets its git hooks that way. An
 * install without dev dependencies has no cagr and must not fail for it; `exit 0` is what both sh and cmd.exe know.
 */
const prepareCommand = `${install} || exit 0`;

/** The brackets keep a failure of what stands in front a failure. */
const behind = ` && (${prepareCommand})`;

/** What cagr added, also that of its first version. */
const known = { whole: [prepareCommand, install], behind: [behind, ` && ${install}`] } as const;

/** Adds the command to the `prepare` script of a package.json; `undefined` if it is there or the file can't be changed. */
export function addPrepare(text: string): string | undefined {
  const reading = readJson(text, true);
  if ('mistake' in reading || reading.root.type !== 'object') return;
  const { root } = reading;
  const scripts = valueAt(root, 'scripts');
  const layout = layoutOf(text, root);
  if (!scripts) return append(text, layout, root, { prepare: prepareCommand }, 'scripts');
  if (scripts.type !== 'object') return;
  const prepare = valueAt(scripts, 'prepare');
  if (!prepare) return append(text, layout, scripts, prepareCommand, 'prepare');
  const value: unknown = prepare.value;
  if (typeof value !== 'string' || value.includes('cagr install-git-hooks')) return;
  const quote = prepare.offset + prepare.length - 1;
  return text.slice(0, quote) + behind + text.slice(quote);
}

/** Takes the command out again; `undefined` if it is not there. */
export function removePrepare(text: string): string | undefined {
  const reading = readJson(text, true);
  if ('mistake' in reading || reading.root.type !== 'object') return;
  const scripts = valueAt(reading.root, 'scripts');
  const prepare = scripts?.type === 'object' ? valueAt(scripts, 'prepare') : undefined;
  if (!prepare?.parent) return;
  if (known.whole.some((command) => prepare.value === command)) return remove(text, prepare.parent);
  const quote = prepare.offset + prepare.length - 1;
  const end = known.behind.find((words) => text.slice(prepare.offset, quote).endsWith(words));
  return end && text.slice(0, quote - end.length) + text.slice(quote);
}
