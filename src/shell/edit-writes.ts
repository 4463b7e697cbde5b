import { readPatch } from './apply-patch.ts';
import { type Change, type ChangeReader, type DiffReading, each, operandsOf } from './changes.ts';
import { codeWrites } from './code-writes.ts';
import { diffChanges } from './git-writes.ts';
import { hasOption, optionValue } from './options.ts';
import { isKnown, type Text } from './text.ts';

const updates = (paths: readonly Text[]): readonly Change[] => paths.map((path) => ({ path, kind: 'update' }));

/** `sed -i`: GNU's suffix stands in the same word, BSD's is a word of its own. */
const sed: ChangeReader = (words) => {
  const grammar = { short: 'efl', attached: 'iI', long: ['expression', 'file', 'line-length'] };
  const withoutSuffix = words.filter((word, index) => {
    const isSuffix = /^-[A-Za-z]*[iI]$/.test(words[index - 1] ?? '') && (word === '' || /^\.\w+$/.test(word));
    return !isSuffix;
  });
  const { operands, scanned } = operandsOf(withoutSuffix, grammar);
  const hasScript = hasOption(scanned, 'e', 'f', 'expression', 'file');
  const scripts = scanned.options.flatMap(({ name, value }) => (/^e/.test(name) && value !== undefined ? [value] : []));
  const writes = [...scripts, ...(hasScript ? [] : operands.slice(0, 1))].flatMap((script) =>
    [...script.matchAll(/(?:^|[\s;{}\d$/|@#,])w\s+(\S+)\s*$/gm)].map(
      ([, path = '']): Change => ({ path, kind: 'write', reads: 'name' }),
    ),
  );
  if (!hasOption(scanned, 'i', 'I', 'in-place')) return writes;
  return updates(operands.slice(hasScript ? 0 : 1));
};

/** It changes files where they lie, unless it only shows what would change. By the usage of sd 1.0; not tried. */
const sd: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, { short: 'nf', long: ['max-replacements', 'flags'] });
  return hasOption(scanned, 'p', 'preview') ? [] : updates(operands.slice(2));
};

const awk: ChangeReader = (words, invocation) => {
  const { operands, scanned } = operandsOf(words, {
    short: 'iFvf',
    long: ['include', 'field-separator', 'assign', 'file'],
  });
  if (optionValue(scanned, 'i', 'include') !== 'inplace') return codeWrites(words, invocation);
  return updates(operands.slice(hasOption(scanned, 'f', 'file') ? 0 : 1));
};

/** Editors that a script drives, or that open a file to be changed. */
const editor: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, { short: 'cSTuUwWi', attached: 'V', long: ['cmd', 'startuptime'] });
  const isReading = hasOption(scanned, 'R', 'M', 'h', 'help', 'version');
  return isReading ? [] : updates(operands.filter((operand) => !operand.startsWith('+')));
};

const applyPatch: ChangeReader = (words, { stdin }) => {
  const text = words[1] ?? stdin ?? undefined;
  return text === undefined || !isKnown(text)
    ? []
    : readPatch(text).map(({ path, kind }): Change => ({ path, kind, reads: 'name' }));
};

/** `patch file`, and `patch -p1` fed with a diff. */
const patch: ChangeReader = (words, { stdin, redirects }) => {
  const { operands, scanned } = operandsOf(words, {
    short: 'BDdFgiporVYz',
    long: ['strip', 'input', 'directory', 'output'],
  });
  if (hasOption(scanned, 'dry-run')) return [];
  const [file, diff] = operands;
  const output = optionValue(scanned, 'o', 'output') ?? file;
  if (output !== undefined) return updates([output]);
  const strip = optionValue(scanned, 'p', 'strip');
  const reading: DiffReading = {
    strip: strip === undefined ? undefined : Number(strip),
    folder: optionValue(scanned, 'd', 'directory'),
  };
  const input =
    diff ?? optionValue(scanned, 'i', 'input') ?? redirects.find(({ operator }) => operator === '<')?.target;
  if (typeof input === 'string') return [{ path: input, kind: 'update', reads: reading }];
  return typeof stdin === 'string' ? diffChanges(stdin, reading) : [];
};

/** Programs that change the content of files where they lie. */
export const editPrograms = {
  sed,
  sd,
  awk,
  gawk: awk,
  dos2unix: each('update'),
  unix2dos: each('update'),
  ed: each('update', { short: 'p', long: ['prompt'] }),
  ex: editor,
  vi: editor,
  vim: editor,
  nvim: editor,
  nano: each('update', { short: 'CQTYors', long: ['backupdir', 'syntax', 'tabsize', 'fill'] }),
  pico: each('update'),
  emacs: each('update', { long: ['eval', 'l', 'load', 'f', 'funcall', 'execute'], singleDash: true }),
  patch,
  apply_patch: applyPatch,
  applypatch: applyPatch,
} satisfies Readonly<Record<string, ChangeReader>>;
