import type { Change, ChangeReader } from './changes.ts';
import { mayChange, readCodeCall, splitSwitches, startedBy } from './code-languages.ts';
import { codeReader } from './code-reader.ts';
import { filePlace } from './folders.ts';
import { scanOptions } from './options.ts';
import { programName } from './programs.ts';
import { isKnown } from './text.ts';

/**
 * The files that a program in another language changes, where its text stands in the call, comes on stdin, or was written
 * by the command before.
 */
export const codeWrites: ChangeReader = (words, { stdin, files, cwd }) => {
  const code = readCodeCall(programName(words[0] ?? ''), words);
  if (!code) return [];
  const { language, file, isStdin } = code;
  const place = file === undefined ? null : filePlace(cwd, file);
  const fed = isStdin ? stdin : place === null ? undefined : files?.get(place);
  const texts = [...code.texts, ...(typeof fed === 'string' ? [fed] : [])].filter(
    (text) => isKnown(text) && mayChange.test(text),
  );
  if (texts.length === 0) return [];
  const started = startedBy(code, words);
  return texts.flatMap((text) => codeReader.peek()?.changes(text, language, started) ?? []);
};

/** `perl -pi -e '…' file`, and Ruby, which took the options over. */
const inPlace: ChangeReader = (words, invocation) => {
  const split = splitSwitches(words);
  const { at, options } = scanOptions(split, 1, { short: 'eEIMmrCx', attached: 'i0lFD' });
  const names = options.map(({ name }) => name);
  if (!names.includes('i')) return codeWrites(words, invocation);
  const operands = split.slice(at);
  return operands
    .slice(names.includes('e') || names.includes('E') ? 0 : 1)
    .map((path): Change => ({ path, kind: 'update' }));
};

/** Programs that run a text in a language of their own, and change the files they name too. */
export const codePrograms = { perl: inPlace, ruby: inPlace } satisfies Readonly<Record<string, ChangeReader>>;
