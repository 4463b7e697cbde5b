import { basename } from '../paths.ts';
import { type Change, type ChangeReader, copyGrammar, each, operandsOf, optionFile, toTarget } from './changes.ts';
import { isMode, ownerRights } from './modes.ts';
import { hasOption } from './options.ts';
import { isKnown } from './text.ts';

/** Programs that copy, move, link, delete and fetch whole files. */
const link: ChangeReader = (words, invocation) => {
  const { operands } = operandsOf(words, copyGrammar);
  const [only] = operands;
  if (operands.length === 1 && only !== undefined) return [{ path: basename(only), kind: 'write' }];
  return toTarget(copyGrammar)(words, invocation);
};

const install: ChangeReader = (words, invocation) => {
  const grammar = { short: 'gmotS', long: ['group', 'mode', 'owner', 'target-directory', 'suffix'] };
  const { scanned } = operandsOf(words, grammar);
  return hasOption(scanned, 'd', 'directory') ? [] : toTarget(grammar)(words, invocation);
};

const rm: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, {});
  const isDeep = hasOption(scanned, 'r', 'R', 'recursive');
  return operands.map((path): Change => ({ path, kind: 'delete', ...(isDeep ? { whole: true } : {}) }));
};

/** What stands in the bin can be taken out again, but it is gone from its place. */
const trash: ChangeReader = (words) =>
  operandsOf(words, {}).operands.flatMap((path): readonly Change[] =>
    path.startsWith('!') ? [] : [{ path, kind: 'delete', whole: true }],
  );

const dd: ChangeReader = (words) =>
  words.flatMap((word): readonly Change[] =>
    word.startsWith('of=') ? [{ path: word.slice('of='.length), kind: 'write' }] : [],
  );

/** Perl's takes an expression first, util-linux's two texts. */
const rename: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, { short: 'e', long: ['expr'] });
  if (hasOption(scanned, 'n', 'nono', 'no-act', 'just-print', 'dry-run')) return [];
  const isPerl = hasOption(scanned, 'e', 'expr') || /^(?:s|y|tr)\W/.test(operands[0] ?? '');
  const skip = isPerl ? (hasOption(scanned, 'e', 'expr') ? 0 : 1) : 2;
  return operands.slice(skip).map((path): Change => ({ path, kind: 'move' }));
};

/** `mmv '*.lock' '#1.old'`: the first pattern says what is moved. */
const mmv: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, {});
  const [from] = operands;
  return from === undefined || hasOption(scanned, 'n', 'c') ? [] : [{ path: from, kind: 'move' }];
};

/** A mode that leaves its owner all rights that count takes nothing away: `chmod +x`, `chmod 755`. */
const chmod: ChangeReader = (words) => {
  const [mode = '', ...paths] = words.slice(1).filter((word) => !/^-(?:[RvcfhHLP]+|-.*)$/.test(word));
  if (!isKnown(mode)) return [];
  const { reads, runs } = isMode(mode) ? ownerRights(mode) : { reads: false, runs: false };
  if (reads && runs) return [];
  return paths.map(
    (path): Change => ({ path, kind: 'update', keepsContent: true, ...(reads ? { keepsReading: true } : {}) }),
  );
};

const owner: ChangeReader = (words) =>
  operandsOf(words, {})
    .operands.slice(1)
    .map((path): Change => ({ path, kind: 'update', keepsContent: true }));

/** With only the starting points and no test, all of them goes; what tests let through is found where files can be seen. */
const find: ChangeReader = (words) => {
  const roots = words.slice(
    1,
    words.findIndex((word, index) => index > 0 && /^[-(!]/.test(word)),
  );
  const rest = words.slice(1 + roots.length);
  const isPlain = rest.every(
    (word, index) => /^-(delete|depth|type|mindepth)$/.test(word) || /^-(type|mindepth)$/.test(rest[index - 1] ?? ''),
  );
  const printed = rest.flatMap((word, index): readonly Change[] =>
    /^-f(?:print0?|printf|ls)$/.test(rest[index - 1] ?? '') ? [{ path: word, kind: 'write', reads: 'name' }] : [],
  );
  if (printed.length > 0) return printed;
  return rest.includes('-delete') && isPlain ? roots.map((path): Change => ({ path, kind: 'delete' })) : [];
};

export const filePrograms = {
  tee: each('write'),
  sponge: each('write'),
  cp: toTarget(copyGrammar),
  mv: toTarget(copyGrammar, { kind: 'move', whole: true }),
  install,
  ln: link,
  rm,
  rmdir: each('delete', { long: [] }),
  unlink: each('delete'),
  shred: each('delete', { short: 'ns', long: ['iterations', 'size', 'random-source'] }),
  trash,
  'trash-put': trash,
  'trash-cli': trash,
  rimraf: trash,
  'del-cli': trash,
  touch: each('write', { short: 'drt', long: ['date', 'reference', 'time'] }),
  truncate: each('write', { short: 'sr', long: ['size', 'reference'] }),
  fallocate: each('write', { short: 'lo', long: ['length', 'offset'] }),
  dd,
  rename,
  'file-rename': rename,
  prename: rename,
  mmv,
  zmv: mmv,
  sort: optionFile(
    { short: 'okStT', long: ['output', 'key', 'field-separator', 'buffer-size', 'temporary-directory'] },
    'o',
    'output',
  ),
  chmod,
  chown: owner,
  chgrp: owner,
  find,
} satisfies Readonly<Record<string, ChangeReader>>;
