import type { Call } from './call.ts';
import { readCodeCall } from './code-languages.ts';
import { filePlace } from './folders.ts';
import type { ArgWord } from './invocation.ts';
import { isKnown, type Text, toArg } from './text.ts';

/** Programs that send the text of a file somewhere, which a guard reads. */
const senders: ReadonlySet<string> = new Set(['gh', 'glab', 'az', 'curl', 'wget']);

/** What the script has written before into the files that a call names: a program in another language, or `-F body.md`, `--body-file=body.md`, `-d @body.json`. */
export function namedFiles(
  program: string | null,
  words: readonly Text[],
  { scope, cwd }: Pick<Call, 'scope' | 'cwd'>,
): ReadonlyMap<string, ArgWord> | undefined {
  if (program === null) return undefined;
  if (!senders.has(program)) {
    const file = readCodeCall(program, words)?.file;
    const path = file === undefined || !isKnown(file) ? null : filePlace(cwd, file);
    const text = path === null ? undefined : scope.file(path);
    return path === null || text === undefined ? undefined : new Map([[path, toArg(text)]]);
  }
  const found = new Map<string, ArgWord>();
  for (const word of words.slice(1)) {
    if (!isKnown(word)) continue;
    const value = word.slice(word.indexOf('=') + 1);
    for (const name of [word, value, value.replace(/^@/, ''), word.replace(/^-\w/, '')]) {
      const path = name.startsWith('-') ? null : filePlace(cwd, name);
      const text = path === null ? undefined : scope.file(path);
      if (path !== null && text !== undefined) found.set(path, toArg(text));
    }
  }
  return found.size > 0 ? found : undefined;
}
