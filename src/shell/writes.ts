import type { EditKind } from '../guards/guard.ts';
import { basename } from '../paths.ts';
import { readPatch } from './apply-patch.ts';
import { readGitFront } from './git-words.ts';
import type { ArgWord, Invocation } from './invocation.ts';
import { hasOption, type OptionGrammar, optionValue, scanOptions } from './options.ts';
import { hole, isKnown, type Text } from './text.ts';

/** A file that a command writes, removes or moves away. */
export interface WrittenPath {
  /** As written, with `~` expanded; a relative one counts from the invocation's folder. Globs are left as they are. */
  readonly path: string;
  readonly kind: EditKind;
  /** The command it stands in, for quoting. */
  readonly quote: string;
}

type Change = readonly [path: Text, kind: EditKind];

/**
 * The paths that a program call names plainly as files it changes: redirects, and the operands of programs whose use is
 * to change files. What a program may write without naming it (`make`, `tar -x`, `git pull`) is not in it, nor is
 * anything that is only read; `/dev/null` and its like are no files.
 */
export function writtenPaths(invocation: Invocation): readonly WrittenPath[] {
  if (invocation.elsewhere) return [];
  const changes: Change[] = [];
  for (const { operator, target } of invocation.redirects) {
    if (operator !== '<' && target !== null) changes.push([target, 'write']);
  }
  const { program } = invocation;
  const row =
    program === null ? undefined : (programs.get(program) ?? programs.get(program.replace(/^g(?=[a-z])/, '')));
  const named = row?.(words(invocation.argv), invocation) ?? [];
  return [...changes, ...named].flatMap(([path, kind]) =>
    path === '' || path === '-' || !isKnown(path) || isDevice(path) ? [] : [{ path, kind, quote: invocation.text }],
  );
}

const words = (argv: readonly ArgWord[]): readonly Text[] => argv.map((word) => word ?? hole);

const isDevice = (path: string): boolean => path.startsWith('/dev/') || path.startsWith('/proc/self/fd/');

type Reader = (words: readonly Text[], invocation: Invocation) => readonly Change[];

/** Options may stand between the operands, and `--` ends them. */
function operandsOf(words: readonly Text[], grammar: OptionGrammar, from = 1) {
  const operands: Text[] = [];
  const options = [];
  for (let at = from; at < words.length; ) {
    const scanned = scanOptions(words, at, grammar);
    options.push(...scanned.options);
    if (scanned.at > at && words[scanned.at - 1] === '--') {
      for (const word of words.slice(scanned.at)) operands.push(word);
      break;
    }
    const operand = words[scanned.at];
    if (operand !== undefined) operands.push(operand);
    at = scanned.at + 1;
  }
  return { operands, scanned: { options, at: words.length } };
}

/** Every operand is changed in the same way. */
const each =
  (kind: EditKind, grammar: OptionGrammar = {}, skip = 0): Reader =>
  (words) =>
    operandsOf(words, grammar)
      .operands.slice(skip)
      .map((path) => [path, kind] as const);

/** `cp`, `mv`, `install`, `ln`: sources, then the target, which may be a folder. */
const toTarget =
  (grammar: OptionGrammar, sourceKind?: EditKind): Reader =>
  (words) => {
    const { operands, scanned } = operandsOf(words, grammar);
    const folder = optionValue(scanned, 't', 'target-directory');
    const sources = folder === undefined ? operands.slice(0, -1) : operands;
    const target = folder ?? operands.at(-1);
    const changes: Change[] = sourceKind ? sources.map((source) => [source, sourceKind] as const) : [];
    if (target === undefined || (sources.length === 0 && folder === undefined)) return changes;
    const isFolder = folder !== undefined || sources.length > 1 || /(^|\/)\.{0,2}$/.test(target);
    if (!isFolder) return [...changes, [target, 'write']];
    return [
      ...changes,
      ...sources.map((source) => [`${target.replace(/\/$/, '')}/${basename(source)}`, 'write'] as const),
    ];
  };

const copyGrammar: OptionGrammar = { short: 'St', long: ['suffix', 'target-directory', 'backup-suffix'] };

const link: Reader = (words, invocation) => {
  const { operands } = operandsOf(words, copyGrammar);
  const [only] = operands;
  if (operands.length === 1 && only !== undefined) return [[basename(only), 'write']];
  return toTarget(copyGrammar)(words, invocation);
};

const install: Reader = (words, invocation) => {
  const grammar = { short: 'gmotS', long: ['group', 'mode', 'owner', 'target-directory', 'suffix'] };
  const { scanned } = operandsOf(words, grammar);
  return hasOption(scanned, 'd', 'directory') ? [] : toTarget(grammar)(words, invocation);
};

/** `sed -i`: GNU's suffix stands in the same word, BSD's is a word of its own. */
const sed: Reader = (words) => {
  const grammar = { short: 'efl', attached: 'iI', long: ['expression', 'file', 'line-length'] };
  const withoutSuffix = words.filter((word, index) => {
    const isSuffix = /^-[A-Za-z]*[iI]$/.test(words[index - 1] ?? '') && (word === '' || /^\.\w+$/.test(word));
    return !isSuffix;
  });
  const { operands, scanned } = operandsOf(withoutSuffix, grammar);
  if (!hasOption(scanned, 'i', 'I', 'in-place')) return [];
  const hasScript = hasOption(scanned, 'e', 'f', 'expression', 'file');
  return operands.slice(hasScript ? 0 : 1).map((path) => [path, 'update'] as const);
};

/** `perl -pi -e '…' file`, and Ruby, which took the options over. */
const perl: Reader = (words) => {
  const { at, options } = scanOptions(words, 1, { short: 'eEIMmrCx', attached: 'i0lFD' });
  const names = options.map(({ name }) => name);
  if (!names.includes('i')) return [];
  const operands = words.slice(at);
  return operands.slice(names.includes('e') || names.includes('E') ? 0 : 1).map((path) => [path, 'update'] as const);
};

const awk: Reader = (words) => {
  const { operands, scanned } = operandsOf(words, {
    short: 'iFvf',
    long: ['include', 'field-separator', 'assign', 'file'],
  });
  if (optionValue(scanned, 'i', 'include') !== 'inplace') return [];
  return operands.slice(hasOption(scanned, 'f', 'file') ? 0 : 1).map((path) => [path, 'update'] as const);
};

const yq: Reader = (words) => {
  const { operands, scanned } = operandsOf(words, { short: 'op', long: ['output-format', 'input-format', 'indent'] });
  return hasOption(scanned, 'i', 'inplace', 'in-place')
    ? operands.slice(1).map((path) => [path, 'update'] as const)
    : [];
};

const dd: Reader = (words) =>
  words.flatMap((word) => (word.startsWith('of=') ? [[word.slice('of='.length), 'write'] as const] : []));

/** The last operand, unless it is on another host. */
const lastOperand =
  (grammar: OptionGrammar): Reader =>
  (words) => {
    const { operands } = operandsOf(words, grammar);
    const target = operands.length > 1 ? operands.at(-1) : undefined;
    return target === undefined || /^[^/]+:/.test(target) ? [] : [[target, 'write']];
  };

/** The value of an option. */
const optionFile =
  (grammar: OptionGrammar, ...names: readonly string[]): Reader =>
  (words) => {
    const file = optionValue(operandsOf(words, grammar).scanned, ...names);
    return file === undefined ? [] : [[file, 'write']];
  };

const curlGrammar: OptionGrammar = {
  short: 'AbcCdDeEFhHKmoPQrtTuUwxXyYz',
  long: [
    'output',
    'data',
    'header',
    'request',
    'user',
    'user-agent',
    'cookie',
    'cookie-jar',
    'form',
    'url',
    'proxy',
    'max-time',
    'connect-timeout',
    'retry',
    'retry-delay',
    'output-dir',
    'data-raw',
    'data-binary',
    'data-urlencode',
    'json',
    'cacert',
    'cert',
    'key',
    'write-out',
    'upload-file',
    'referer',
    'range',
    'config',
    'dump-header',
    'resolve',
    'interface',
  ],
};

const curl: Reader = (words) => {
  const { operands, scanned } = operandsOf(words, curlGrammar);
  const folder = optionValue(scanned, 'output-dir');
  const inFolder = (name: Text) => (folder === undefined ? name : `${folder}/${name}`);
  const changes = scanned.options.flatMap(({ name, value }): Change[] =>
    (name === 'o' || name === 'output') && value !== undefined ? [[inFolder(value), 'write']] : [],
  );
  if (!hasOption(scanned, 'O', 'remote-name', 'remote-name-all')) return changes;
  return [...changes, ...operands.map((url) => [inFolder(urlFile(url)), 'write'] as const)];
};

const urlFile = (url: Text): Text => {
  const end = url.search(/[?#]/);
  return basename(end < 0 ? url : url.slice(0, end));
};

/** Modes that only give rights take nothing away and change no content: `chmod +x`. */
const chmod: Reader = (words) => {
  const [mode = '', ...paths] = words.slice(1).filter((word) => !/^-(?:[RvcfhHLP]+|-.*)$/.test(word));
  return /^([ugoa]*\+[rwxXst]*,?)+$/.test(mode) ? [] : paths.map((path) => [path, 'update'] as const);
};

const applyPatch: Reader = (words, { stdin }) => {
  const text = words[1] ?? stdin ?? undefined;
  return text === undefined || !isKnown(text) ? [] : readPatch(text).map(({ path, kind }) => [path, kind] as const);
};

/** `patch file`, and `patch -p1` fed with a diff. */
const patch: Reader = (words, { stdin }) => {
  const { operands, scanned } = operandsOf(words, {
    short: 'BDdFgipoRrVYz',
    long: ['strip', 'input', 'directory', 'output'],
  });
  if (hasOption(scanned, 'dry-run')) return [];
  const [file] = operands;
  if (file !== undefined) return [[file, 'update']];
  return typeof stdin === 'string' ? diffPaths(stdin, Number(optionValue(scanned, 'p', 'strip') ?? 0)) : [];
};

/** The new names in a unified diff, without their first folders. */
function diffPaths(diff: string, strip: number): readonly Change[] {
  return diff.split('\n').flatMap((line): Change[] => {
    if (!line.startsWith('+++ ') && !line.startsWith('--- ')) return [];
    const name = line.slice(4).split('\t')[0]?.trim() ?? '';
    if (name === '/dev/null') return [];
    return [[name.split('/').slice(strip).join('/'), 'update']];
  });
}

const find: Reader = (words) => {
  const roots = words.slice(
    1,
    words.findIndex((word, index) => index > 0 && /^[-(!]/.test(word)),
  );
  const rest = words.slice(1 + roots.length);
  // With a test in between only the run knows which files go.
  const isPlain = rest.every(
    (word, index) => /^-(delete|depth|type|mindepth)$/.test(word) || /^-(type|mindepth)$/.test(rest[index - 1] ?? ''),
  );
  return rest.includes('-delete') && isPlain ? roots.map((path) => [path, 'delete'] as const) : [];
};

const git: Reader = (words, invocation) => {
  const { at } = readGitFront(words);
  const args = words.slice(at + 1);
  const dashes = args.indexOf('--');
  const paths = dashes < 0 ? [] : args.slice(dashes + 1);
  switch (words[at]) {
    case 'checkout': {
      const isDot = dashes < 0 && args.at(-1) === '.';
      return (isDot ? ['.'] : paths).map((path) => [path, 'write'] as const);
    }
    case 'restore': {
      const { operands, scanned } = operandsOf(
        args,
        { short: 's', long: ['source', 'conflict', 'pathspec-from-file'] },
        0,
      );
      const isIndexOnly = hasOption(scanned, 'S', 'staged') && !hasOption(scanned, 'W', 'worktree');
      return isIndexOnly ? [] : operands.map((path) => [path, 'write'] as const);
    }
    case 'rm': {
      const { operands, scanned } = operandsOf(args, { long: ['pathspec-from-file'] }, 0);
      return hasOption(scanned, 'n', 'dry-run', 'cached') ? [] : operands.map((path) => [path, 'delete'] as const);
    }
    case 'mv':
      return hasOption(operandsOf(args, {}, 0).scanned, 'n', 'dry-run')
        ? []
        : toTarget({}, 'move')(['mv', ...args], invocation);
    case 'apply': {
      const { operands, scanned } = operandsOf(
        args,
        { short: 'pC', long: ['directory', 'exclude', 'include', 'whitespace'] },
        0,
      );
      const reads =
        operands.every((operand) => operand === '-') &&
        !hasOption(scanned, 'check', 'stat', 'numstat', 'summary', 'cached');
      return reads && typeof invocation.stdin === 'string'
        ? diffPaths(invocation.stdin, Number(optionValue(scanned, 'p') ?? 1))
        : [];
    }
    default:
      return [];
  }
};

/** Programs that change files they name. To add one: a row. Programs of GNU that are installed with a `g` in front are found too. */
const programs: ReadonlyMap<string, Reader> = new Map<string, Reader>(
  Object.entries({
    tee: each('write'),
    sponge: each('write'),
    sed,
    perl,
    ruby: perl,
    awk,
    gawk: awk,
    yq,
    cp: toTarget(copyGrammar),
    mv: toTarget(copyGrammar, 'move'),
    install,
    ln: link,
    rm: each('delete'),
    rmdir: each('delete', { long: [] }),
    unlink: each('delete'),
    shred: each('delete', { short: 'ns', long: ['iterations', 'size', 'random-source'] }),
    trash: each('delete'),
    touch: each('write', { short: 'drt', long: ['date', 'reference', 'time'] }),
    truncate: each('write', { short: 'sr', long: ['size', 'reference'] }),
    dd,
    rsync: lastOperand({
      short: 'efBTM',
      long: ['rsh', 'exclude', 'include', 'filter', 'files-from', 'exclude-from', 'include-from'],
    }),
    scp: lastOperand({ short: 'cDFiJloPSX' }),
    ditto: lastOperand({}),
    curl,
    wget: optionFile(
      { short: 'oOaiPtTwQUlARDIXeB', long: ['output-document', 'output-file', 'directory-prefix'] },
      'O',
      'output-document',
    ),
    sort: optionFile(
      { short: 'okStT', long: ['output', 'key', 'field-separator', 'buffer-size', 'temporary-directory'] },
      'o',
      'output',
    ),
    chmod,
    chown: each('update', {}, 1),
    chgrp: each('update', {}, 1),
    ed: each('update', { short: 'p', long: ['prompt'] }),
    ex: each('update', { short: 'cTu' }),
    patch,
    find,
    apply_patch: applyPatch,
    applypatch: applyPatch,
    git,
  } satisfies Record<string, Reader>),
);
