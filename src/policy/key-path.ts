/** Where a value stands in a config: `['stacks', 'typescript', 'on_edit', 0]`. */
export type KeyPath = readonly (string | number)[];

/** As people write it: `stacks.typescript.on_edit[0]`; a name that TOML wants quoted stands in quotes. */
export function formatKey(path: KeyPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += (text === '' ? '' : '.') + (/^[\w-]+$/.test(part) ? part : JSON.stringify(part));
  }
  return text;
}

/** The way back from {@link formatKey}. */
export function parseKey(key: string): KeyPath {
  const path: (string | number)[] = [];
  for (const [part, index] of key.matchAll(/\[(\d+)\]|"(?:[^"\\]|\\.)*"|[\w-]+/g)) {
    if (index !== undefined) path.push(Number(index));
    else path.push(part.startsWith('"') ? (JSON.parse(part) as string) : part);
  }
  return path;
}
