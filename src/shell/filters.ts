import { optionValue, scanWords } from './options.ts';
import { isKnown, type Text } from './text.ts';

/** What stands in front of the default branch in git's report on a remote, and in no other of its lines. */
export const headMark = 'HEAD branch';

/**
 * What a program that picks from its input prints: `sed` with one substitution, `cut -d -f`, `awk '{print $2}'`, `grep TEXT`,
 * each in the plain shapes that scripts pick a branch's name with. `undefined` where it can't be told.
 */
export function filtered(program: string, words: readonly Text[], stdin: Text | undefined): Text | undefined {
  if (stdin === undefined || !words.every(isKnown)) return undefined;
  switch (program) {
    case 'xargs':
      // Alone it tidies up the blanks.
      return words.length === 1 && isKnown(stdin) && /^[\w\s./-]*$/.test(stdin)
        ? `${stdin.trim().split(/\s+/).join(' ')}\n`
        : undefined;
    case 'tr':
      return words.length === 3 && words[1] === '-d' && /^(?:\\n|\n|\\r)$/.test(words[2] ?? '') && isKnown(stdin)
        ? stdin.replaceAll(words[2] === '\\r' ? '\r' : '\n', '')
        : undefined;
    case 'head':
    case 'tail':
      return oneLine(program, words.slice(1).join(' '), stdin);
    case 'sed':
      return sed(words, stdin);
    case 'cut':
      return cut(words, stdin);
    case 'awk':
    case 'gawk':
    case 'mawk':
      return awk(words, stdin);
    case 'grep':
      return grep(words, stdin);
    default:
      return undefined;
  }
}

/** `head -1`, `tail -n1`. */
function oneLine(program: string, options: string, stdin: Text): Text | undefined {
  const line = /^-(?:n ?)?1$/.test(options) ? linesOf(stdin)?.at(program === 'head' ? 0 : -1) : undefined;
  return line === undefined ? undefined : `${line}\n`;
}

/** Text that means itself in a regular expression. */
const isLiteral = (text: string): boolean => /^[\w/ :,=-]+$/.test(text);

/** The lines of an input that have a text; all of them where none is asked for. */
function linesOf(stdin: Text, text?: string): readonly Text[] | undefined {
  const lines = stdin.replace(/\n$/, '').split('\n');
  // Of an unknown line only git's report says what is not in it.
  const isOfReport = text !== undefined && (text.includes(headMark) || (text === 'HEAD' && stdin.includes(headMark)));
  if (!isKnown(stdin) && !isOfReport) return undefined;
  const found = text === undefined ? lines : lines.filter((line) => line.includes(text));
  return found.every(isKnown) ? found : undefined;
}

const joinLines = (lines: readonly Text[] | undefined): Text | undefined => lines?.map((line) => `${line}\n`).join('');

/** `sed 's@^refs/remotes/origin/@@'`, `sed -n '/HEAD branch/s/.*: //p'`: one substitution of plain text. */
function sed(words: readonly Text[], stdin: Text): Text | undefined {
  const prints = words[1] === '-n';
  const rest = words.slice(prints ? 2 : 1).filter((word) => word !== '-e' && word !== '-E');
  const [given = '', ...others] = rest;
  // A slash with a backslash is a slash, so another mark can stand between the parts.
  const whole =
    given.startsWith('s/') && given.includes('\\/') && !given.includes('@')
      ? `s@${given.slice(2).replaceAll('\\/', '\0').replaceAll('/', '@').replaceAll('\0', '/')}`
      : given;
  const [, address, script = ''] = /^(?:\/([^/]+)\/ *)?(s.*)$/.exec(whole) ?? [];
  const [, shape = '', into = '', flags = '', ...more] = script.slice(1).split(script.charAt(1));
  // `s/TEXT\(.*\)/\1/` takes off what `s/TEXT//` does.
  const isGroup = into === '\\1' && /\\?\(\.\*\\?\)\$?$/.test(shape);
  const pattern = isGroup ? shape.replace(/\\?\(\.\*\\?\)\$?$/, '') : shape;
  const replacement = isGroup ? '' : into;
  const [, mark = '', any = '', text = ''] = /^(\^?)((?:\.\*)?)(.+)$/.exec(pattern) ?? [];
  const isPlain = isLiteral(text) && /^[\w/ :-]*$/.test(replacement) && flags === (prints ? 'p' : '');
  if (others.length > 0 || more.length > 0 || !isPlain || (address !== undefined && !isLiteral(address)))
    return undefined;
  const isMet = (line: Text): boolean =>
    (address === undefined || line.includes(address)) &&
    (mark === '^' && any === '' ? line.startsWith(text) : line.includes(text));
  const change = (line: Text): Text =>
    any === '' ? line.replace(text, () => replacement) : replacement + line.slice(line.lastIndexOf(text) + text.length);
  const lines = linesOf(stdin, prints ? (address ?? text) : undefined);
  if (!lines) return undefined;
  return joinLines(prints ? lines.filter(isMet).map(change) : lines.map((line) => (isMet(line) ? change(line) : line)));
}

/** `cut -d/ -f2`, `cut -d ' ' -f 5-`. Source: cut(1) of GNU coreutils 9. */
function cut(words: readonly Text[], stdin: Text): Text | undefined {
  const scanned = scanWords(words, 1, { short: 'df', long: ['delimiter', 'fields'] });
  const mark = optionValue(scanned, 'd', 'delimiter') ?? '\t';
  const [, from = '', dash = '', to = ''] = /^(\d*)(-?)(\d*)$/.exec(optionValue(scanned, 'f', 'fields') ?? '') ?? [];
  const isPlain = scanned.options.every(({ name }) => ['d', 'delimiter', 'f', 'fields'].includes(name));
  if (mark.length !== 1 || from + to === '' || scanned.words.length > 0 || !isPlain) return undefined;
  const start = from === '' ? 1 : Number(from);
  const end = dash === '' ? start : to === '' ? undefined : Number(to);
  return joinLines(
    linesOf(stdin)?.map((line) =>
      line.includes(mark)
        ? line
            .split(mark)
            .slice(start - 1, end)
            .join(mark)
        : line,
    ),
  );
}

/** `awk -F/ '{print $NF}'`, `awk '/HEAD branch/ {print $3}'`. */
function awk(words: readonly Text[], stdin: Text): Text | undefined {
  const { options, words: given } = scanWords(words, 1, { short: 'F' });
  const [script = '', ...others] = given;
  const [, text, field = ''] = /^\s*(?:\/([^/]+)\/)?\s*\{\s*print\s*\$(NF|\d+)\s*;?\s*\}\s*$/.exec(script) ?? [];
  const separator = optionValue({ options }, 'F') ?? ' ';
  const isPlain = options.every(({ name }) => name === 'F') && isLiteral(separator);
  if (field === '' || others.length > 0 || !isPlain || (text !== undefined && !isLiteral(text))) return undefined;
  return joinLines(
    linesOf(stdin, text)?.map((line) => {
      const fields = separator === ' ' ? line.trim().split(/\s+/) : line.split(separator);
      if (field === '0') return line;
      return (field === 'NF' ? fields.at(-1) : fields[Number(field) - 1]) ?? '';
    }),
  );
}

/** `grep 'HEAD branch'`. */
function grep(words: readonly Text[], stdin: Text): Text | undefined {
  const [text = '', ...others] = words.slice(1);
  return others.length > 0 || text.startsWith('-') || !isLiteral(text) ? undefined : joinLines(linesOf(stdin, text));
}
