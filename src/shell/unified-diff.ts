import type { EditKind } from '../guards/guard.ts';

/** A file that a diff changes. */
export interface DiffedFile {
  /** As the diff names it, with its first folder (`a/`, `b/`). */
  readonly path: string;
  readonly kind: EditKind;
}

/**
 * The files that a unified or git diff changes, by both of its names. What stands inside a hunk is data, even where it
 * looks like a header. Source: git-diff(1), "Generating patch text with -p".
 */
export function diffedFiles(diff: string): readonly DiffedFile[] {
  const files: DiffedFile[] = [];
  let removed = 0;
  let added = 0;
  for (const line of diff.split('\n')) {
    if (removed > 0 || added > 0) {
      const sign = line[0];
      if (sign !== '+' && sign !== '\\') removed -= 1;
      if (sign !== '-' && sign !== '\\') added -= 1;
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      removed = Number(hunk[1] ?? 1);
      added = Number(hunk[2] ?? 1);
      continue;
    }
    const both = /^diff --git "?a\/(.+?)"? "?b\/\1"?$/.exec(line);
    if (both?.[1] !== undefined) add(files, `b/${both[1]}`, 'update');
    const [, start = '', rest = ''] = /^(--- |\+\+\+ |rename from |rename to )(.*)$/.exec(line) ?? [];
    const name =
      rest
        .split('\t')[0]
        ?.trim()
        .replace(/^"(.*)"$/, '$1') ?? '';
    if (start === '' || name === '' || name === '/dev/null') continue;
    // The names of a rename stand without the first folder.
    if (start.startsWith('rename')) add(files, `a/${name}`, 'move');
    else add(files, name, 'update');
  }
  return files;
}

function add(files: DiffedFile[], path: string, kind: EditKind): void {
  if (!files.some((file) => file.path === path && file.kind === kind)) files.push({ path, kind });
}
