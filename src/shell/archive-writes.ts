import { type Change, type ChangeReader, operandsOf, optionFile } from './changes.ts';
import { hasOption, type OptionGrammar, optionValue } from './options.ts';
import { hole, type Text } from './text.ts';

/**
 * `tar`: the archive that it makes, and the members that it is told to unpack. An archive that is unpacked whole names no
 * file, so nothing is known of it. The first word may be options without a dash.
 */
const tar: ChangeReader = (words) => {
  const [name = '', first = '', ...rest] = words;
  const given = /^[A-Za-z]+$/.test(first) ? [name, ...bundled(first, rest)] : words;
  const { operands, scanned } = operandsOf(given, {
    short: 'fCTXbgIKNVF',
    long: ['file', 'directory', 'files-from', 'exclude', 'exclude-from', 'strip-components', 'transform'],
  });
  const archive = optionValue(scanned, 'f', 'file');
  if (hasOption(scanned, 'c', 'create', 'r', 'append', 'u', 'update')) {
    const made: readonly Change[] = archive === undefined ? [] : [{ path: archive, kind: 'write', reads: 'name' }];
    const isMove = hasOption(scanned, 'remove-files');
    return isMove ? [...made, ...operands.map((path): Change => ({ path, kind: 'delete', whole: true }))] : made;
  }
  const toStdout = hasOption(scanned, 'O', 'to-stdout', 'to-command');
  if (!hasOption(scanned, 'x', 'extract', 'get') || toStdout) return [];
  const strip = Number(optionValue(scanned, 'strip-components') ?? 0);
  const folder = optionValue(scanned, 'C', 'directory');
  return operands.length > 0 ? members(operands, folder, strip) : filled(folder);
};

/** `xzf a.tgz`: the values of the options follow in their order. */
function bundled(letters: Text, rest: readonly Text[]): readonly Text[] {
  const options: Text[] = [];
  const values = [...rest];
  for (const letter of letters) {
    options.push(`-${letter}`);
    if ('fCTXb'.includes(letter)) options.push(values.shift() ?? '');
  }
  return [...options, ...values];
}

/** Files of unknown names in a folder. */
const filled = (folder: Text | undefined): readonly Change[] =>
  folder === undefined ? [] : [{ path: `${folder}/${hole}`, kind: 'write' }];

function members(names: readonly Text[], folder: Text | undefined, strip = 0): readonly Change[] {
  return names.map((name) => {
    const path = name.replace(/^\.\//, '').split('/').slice(strip).join('/');
    return { path: folder === undefined ? path : `${folder}/${path}`, kind: 'write', reads: 'name' };
  });
}

const unzip: ChangeReader = (words) => {
  const exclude = words.indexOf('-x');
  const { operands, scanned } = operandsOf(exclude < 0 ? words : words.slice(0, exclude), { short: 'dP' });
  if (hasOption(scanned, 'l', 'p', 'c', 't', 'v', 'z', 'Z', 'n')) return [];
  const folder = optionValue(operandsOf(words, { short: 'dP' }).scanned, 'd');
  return operands.length > 1 ? members(operands.slice(1), folder) : filled(folder);
};

const zip: ChangeReader = (words) => {
  const { operands, scanned } = operandsOf(words, { short: 'xitnbP' });
  const [archive, ...files] = operands;
  if (archive === undefined || archive === '-') return [];
  const made: Change = { path: archive, kind: 'write', reads: 'name' };
  return hasOption(scanned, 'm', 'move') ? [made, ...files.map((path): Change => ({ path, kind: 'move' }))] : [made];
};

/** `gzip .env` leaves `.env.gz` in its place, `gunzip .env.gz` writes `.env`. */
const packer =
  (endings: readonly string[], unpacks = false, grammar: OptionGrammar = {}): ChangeReader =>
  (words) => {
    const { operands, scanned } = operandsOf(words, grammar);
    if (hasOption(scanned, 'c', 'stdout', 'to-stdout', 'l', 'list', 't', 'test')) return [];
    const keeps = hasOption(scanned, 'k', 'keep');
    if (!unpacks && !hasOption(scanned, 'd', 'decompress', 'uncompress')) {
      return keeps ? [] : operands.map((path): Change => ({ path, kind: 'move' }));
    }
    return operands.flatMap((path): readonly Change[] => {
      const ending = endings.find((one) => path.endsWith(one));
      return ending === undefined ? [] : [{ path: path.slice(0, -ending.length), kind: 'write' }];
    });
  };

const gzip = ['.gz'];
const bzip2 = ['.bz2'];
const xz = ['.xz', '.lzma'];

/** Programs that pack and unpack files. */
export const archivePrograms = {
  tar,
  bsdtar: tar,
  unzip,
  zip,
  gzip: packer(gzip),
  gunzip: packer(gzip, true),
  bzip2: packer(bzip2),
  bunzip2: packer(bzip2, true),
  xz: packer(xz),
  unxz: packer(xz, true),
  zstd: optionFile({ short: 'oT', long: ['output-dir-flat', 'threads'] }, 'o'),
  unzstd: optionFile({ short: 'oT' }, 'o'),
} satisfies Readonly<Record<string, ChangeReader>>;
