import { basename } from '../paths.ts';
import { type Change, type ChangeReader, operandsOf, optionFile } from './changes.ts';
import { hasOption, type OptionGrammar, optionValue } from './options.ts';
import { hole, type Text } from './text.ts';

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
  if (hasOption(scanned, 'spider')) return [];
  // Without -N a file that is there is left alone, and the new one gets a number.
  const more = hasOption(scanned, 'N', 'timestamping') ? {} : ({ spares: true } as const);
  const folder = optionValue(scanned, 'P', 'directory-prefix');
  return operands.map(
    (url): Change => ({
      path: folder === undefined ? urlFile(url) : `${folder}/${urlFile(url)}`,
      kind: 'write',
      reads: 'name',
      ...more,
    }),
  );
};

const urlFile = (url: Text): Text => {
  const end = url.search(/[?#]/);
  return basename(end < 0 ? url : url.slice(0, end));
};

/** It writes `.env` where it is told no other file. */
const dotenvx: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, { short: 'f', long: ['env-file', 'env-keys-file'] });
  if (!['set', 'encrypt', 'decrypt', 'rotate'].includes(operands[0] ?? '') || hasOption(scanned, 'stdout')) return [];
  return [{ path: optionValue(scanned, 'f', 'env-file') ?? '.env', kind: 'update', reads: 'name' }];
};

const aria2c: ChangeReader = (words) => {
  const { scanned } = operandsOf(words, { short: 'odijx', long: ['out', 'dir', 'input-file'] });
  const [file, folder] = [optionValue(scanned, 'o', 'out'), optionValue(scanned, 'd', 'dir')];
  if (file === undefined) return folder === undefined ? [] : [{ path: `${folder}/${hole}`, kind: 'write' }];
  return [{ path: folder === undefined ? file : `${folder}/${file}`, kind: 'write', reads: 'name' }];
};

/** All operands, where an option says that they are changed where they lie. */
const inPlaceOf =
  (...names: readonly string[]): ChangeReader =>
  (words) => {
    const { operands, scanned } = operandsOf(words, {});
    return hasOption(scanned, ...names) ? operands.map((path): Change => ({ path, kind: 'update' })) : [];
  };

/** `gh release download v1 -D folder`, `--output file`. */
const download: ChangeReader = (words) => {
  if (words[1] !== 'release' || words[2] !== 'download') return [];
  const { scanned } = operandsOf(words, { short: 'ADOpR', long: ['archive', 'dir', 'output', 'pattern', 'repo'] });
  const file = optionValue(scanned, 'O', 'output');
  if (file !== undefined) return [{ path: file, kind: 'write', reads: 'name' }];
  const folder = optionValue(scanned, 'D', 'dir');
  return folder === undefined ? [] : [{ path: `${folder}/${hole}`, kind: 'write' }];
};

const vault: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, {
    long: ['output', 'vault-password-file', 'vault-id', 'encrypt-vault-id'],
  });
  const file = optionValue(scanned, 'output');
  if (!['decrypt', 'encrypt', 'edit', 'rekey', 'create'].includes(operands[0] ?? '')) return [];
  return (file === undefined ? operands.slice(1) : [file]).map(
    (path): Change => ({ path, kind: 'update', reads: 'name' }),
  );
};

const vercel: ChangeReader = (words) => {
  const { operands } = operandsOf(words, { long: ['environment', 'git-branch', 'cwd', 'token', 'scope'] });
  if (operands[0] !== 'env' || operands[1] !== 'pull') return [];
  return [{ path: operands[2] ?? '.env.local', kind: 'write' }];
};

/** Programs that fetch files, or write what they make to a file that an option names. */
export const fetchPrograms = {
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
  gpg: optionFile({ short: 'oru', long: ['output', 'recipient', 'local-user'] }, 'o', 'output'),
  age: optionFile({ short: 'oriR', long: ['output', 'recipient', 'identity'] }, 'o', 'output'),
  openssl: optionFile({ long: ['out', 'in', 'inkey', 'pass', 'k', 'kfile', 'md'], singleDash: true }, 'out'),
  op: optionFile({ short: 'io', long: ['in-file', 'out-file', 'account'] }, 'o', 'out-file'),
  aria2c,
  shuf: optionFile({ short: 'nio', long: ['output', 'head-count', 'input-range'] }, 'o', 'output'),
  'age-keygen': optionFile({ short: 'o', long: ['output'] }, 'o', 'output'),
  xmllint: optionFile({ long: ['output', 'xpath', 'schema'] }, 'output'),
  tidy: inPlaceOf('m', 'modify'),
  gh: download,
  'ansible-vault': vault,
  http: optionFile({ short: 'oaA', long: ['output', 'auth'] }, 'o', 'output'),
  https: optionFile({ short: 'oaA', long: ['output', 'auth'] }, 'o', 'output'),
  xh: optionFile({ short: 'oaA', long: ['output', 'auth'] }, 'o', 'output'),
  iconv: optionFile({ short: 'fto', long: ['from-code', 'to-code', 'output'] }, 'o', 'output'),
  psql: optionFile({ short: 'cdfFLoPRTvhpU', long: ['output', 'command', 'file', 'dbname'] }, 'o', 'output'),
  pg_dump: optionFile({ short: 'fFjntTEhpUd', long: ['file', 'format', 'schema', 'table'] }, 'f', 'file'),
  dotenvx,
} satisfies Readonly<Record<string, ChangeReader>>;
