import { basename } from '../paths.ts';
import { type Change, type ChangeReader, copyGrammar, each, operandsOf, optionFile, toTarget } from './changes.ts';
import { isMode, ownerRights } from './modes.ts';
import { hasOption, type OptionGrammar, optionValue } from './options.ts';
import { isKnown, type Text } from './text.ts';

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

/** The last operand, unless it is on another host. */
const lastOperand =
  (grammar: OptionGrammar, skip = 0, dry: readonly string[] = ['dry-run', 'dryrun']): ChangeReader =>
  (words) => {
    const { operands: all, scanned } = operandsOf(words, grammar);
    if (hasOption(scanned, ...dry)) return [];
    const operands = all.slice(skip);
    const target = operands.length > 1 ? operands.at(-1) : undefined;
    if (target === undefined || /^[^/]*:/.test(target)) return [];
    const [from = ''] = operands;
    // A source with a slash at its end means what is in it.
    const isContent = operands.length > 2 || from.endsWith('/');
    return [{ path: target, kind: 'write', ...(isContent ? {} : { from: from.slice(from.lastIndexOf(':') + 1) }) }];
  };

/** `aws s3 cp s3://bucket/x .env`, `docker cp web:/app/.env .env`: the words in front are subcommands. */
const behind =
  (commands: readonly (readonly string[])[], grammar: OptionGrammar): ChangeReader =>
  (words, invocation) => {
    const command = commands.find((names) => names.every((name, index) => words[index + 1] === name));
    return command ? lastOperand(grammar, command.length)(words, invocation) : [];
  };

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

const curl: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, curlGrammar);
  const folder = optionValue(scanned, 'output-dir');
  const inFolder = (name: Text) => (folder === undefined ? name : `${folder}/${name}`);
  const changes = scanned.options.flatMap(({ name, value }): Change[] =>
    (name === 'o' || name === 'output') && value !== undefined
      ? [{ path: inFolder(value), kind: 'write', reads: 'name' }]
      : [],
  );
  if (!hasOption(scanned, 'O', 'remote-name', 'remote-name-all')) return changes;
  return [
    ...changes,
    ...operands.map((url): Change => ({ path: inFolder(urlFile(url)), kind: 'write', reads: 'name' })),
  ];
};

const wget: ChangeReader = (words) => {
  const grammar = {
    short: 'oOaiPtTwQUlARDIXeB',
    long: ['output-document', 'output-file', 'directory-prefix', 'tries', 'timeout', 'user-agent', 'header'],
  };
  const { operands, scanned } = operandsOf(words, grammar);
  const file = optionValue(scanned, 'O', 'output-document');
  if (file !== undefined) return [{ path: file, kind: 'write' }];
  // Without -N and -nc a file that is there is left alone, and the new one gets a number.
  if (!hasOption(scanned, 'N', 'timestamping')) return [];
  const folder = optionValue(scanned, 'P', 'directory-prefix');
  return operands.map(
    (url): Change => ({
      path: folder === undefined ? urlFile(url) : `${folder}/${urlFile(url)}`,
      kind: 'write',
      reads: 'name',
    }),
  );
};

const urlFile = (url: Text): Text => {
  const end = url.search(/[?#]/);
  return basename(end < 0 ? url : url.slice(0, end));
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

/** It writes `.env` where it is told no other file. */
const dotenvx: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, { short: 'f', long: ['env-file', 'env-keys-file'] });
  if (!['set', 'encrypt', 'decrypt', 'rotate'].includes(operands[0] ?? '') || hasOption(scanned, 'stdout')) return [];
  return [{ path: optionValue(scanned, 'f', 'env-file') ?? '.env', kind: 'update', reads: 'name' }];
};

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
  return rest.includes('-delete') && isPlain ? roots.map((path): Change => ({ path, kind: 'delete' })) : [];
};

const vercel: ChangeReader = (words) => {
  const { operands } = operandsOf(words, { long: ['environment', 'git-branch', 'cwd', 'token', 'scope'] });
  if (operands[0] !== 'env' || operands[1] !== 'pull') return [];
  return [{ path: operands[2] ?? '.env.local', kind: 'write' }];
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
  rsync: lastOperand(
    {
      short: 'efBTM',
      long: ['rsh', 'exclude', 'include', 'filter', 'files-from', 'exclude-from', 'include-from'],
    },
    0,
    ['n', 'dry-run', 'list-only'],
  ),
  scp: lastOperand({ short: 'cDFiJloPSX' }),
  ditto: lastOperand({}),
  docker: behind([['cp'], ['container', 'cp']], {}),
  podman: behind([['cp'], ['container', 'cp']], {}),
  kubectl: behind([['cp']], { short: 'cn', long: ['container', 'namespace', 'retries'] }),
  aws: behind(
    [
      ['s3', 'cp'],
      ['s3', 'mv'],
    ],
    { long: ['profile', 'region', 'exclude', 'include', 'endpoint-url'] },
  ),
  gsutil: behind([['cp'], ['mv']], {}),
  gcloud: behind(
    [
      ['storage', 'cp'],
      ['storage', 'mv'],
    ],
    { long: ['project', 'account'] },
  ),
  vercel,
  curl,
  wget,
  sort: optionFile(
    { short: 'okStT', long: ['output', 'key', 'field-separator', 'buffer-size', 'temporary-directory'] },
    'o',
    'output',
  ),
  gpg: optionFile({ short: 'oru', long: ['output', 'recipient', 'local-user'] }, 'o', 'output'),
  age: optionFile({ short: 'oriR', long: ['output', 'recipient', 'identity'] }, 'o', 'output'),
  openssl: optionFile({ long: ['out', 'in', 'inkey', 'pass', 'k', 'kfile', 'md'], singleDash: true }, 'out'),
  op: optionFile({ short: 'io', long: ['in-file', 'out-file', 'account'] }, 'o', 'out-file'),
  aria2c: optionFile({ short: 'od', long: ['out', 'dir'] }, 'o', 'out'),
  http: optionFile({ short: 'oaA', long: ['output', 'auth'] }, 'o', 'output'),
  https: optionFile({ short: 'oaA', long: ['output', 'auth'] }, 'o', 'output'),
  xh: optionFile({ short: 'oaA', long: ['output', 'auth'] }, 'o', 'output'),
  iconv: optionFile({ short: 'fto', long: ['from-code', 'to-code', 'output'] }, 'o', 'output'),
  psql: optionFile({ short: 'cdfFLoPRTvhpU', long: ['output', 'command', 'file', 'dbname'] }, 'o', 'output'),
  pg_dump: optionFile({ short: 'fFjntTEhpUd', long: ['file', 'format', 'schema', 'table'] }, 'f', 'file'),
  dotenvx,
  chmod,
  chown: owner,
  chgrp: owner,
  find,
} satisfies Readonly<Record<string, ChangeReader>>;
