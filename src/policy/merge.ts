import { isTable, type Table } from './validate.ts';

/**
 * The lists of rules, which add up along `extends`, and what an entry is known by: a later entry of the same name takes
 * the earlier one's place. Every other list is replaced.
 */
const nameOfEntry: Readonly<Record<string, (entry: unknown) => unknown>> = {
  brief: (line) => line,
  rules: (rule) => (isTable(rule) ? rule.id : rule),
  tests: (test) => test,
  'files.protected': (glob) => glob,
  'files.allow': (glob) => glob,
  'commands.blocked': (entry) => (isTable(entry) ? entry.command : entry),
};

/** Tables that mean one thing as a whole: half of one and half of another would not fit together. */
const takenWhole = new Set(['git.branch_name', 'git.commit_message']);

/** Puts valid configs on top of each other; the later one wins. `extends` has done its work by then and is dropped. */
export function mergeConfigs(layers: readonly Table[]): Table {
  const merged = layers.reduce((below, above) => mergeTables(below, above, ''), {});
  return Object.fromEntries(Object.entries(merged).filter(([key]) => key !== 'extends'));
}

function mergeTables(below: Table, above: Table, prefix: string): Table {
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const path = prefix + key;
    const before = merged.get(key);
    const nameOf = nameOfEntry[path];
    if (nameOf && Array.isArray(before) && Array.isArray(value)) {
      const entries = [...(before as unknown[]), ...(value as unknown[])];
      merged.set(key, [...new Map(entries.map((entry) => [nameOf(entry), entry])).values()]);
    } else if (isTable(before) && isTable(value) && !takenWhole.has(path))
      merged.set(key, mergeTables(before, value, `${path}.`));
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}
