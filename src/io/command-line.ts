/** How a configured command is started. */
export type CommandLine =
  /** Without a shell: these words, in which `{files}` still stands. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** By `sh -c`, with the files as its positional parameters. */
  | { readonly kind: 'script'; readonly script: string }
  /** Not at all: `{files}` stands where file names would be read as text of a script. */
  | { readonly kind: 'unsound'; readonly problem: string };

/** The system's own shell: `node_modules/.bin`, which stands in front of a command's PATH, may hold one of the repo's. */
export const shell = process.platform === 'win32' ? 'sh' : '/bin/sh';

export const filesMark = '{files}';

const quotedFiles =
  '`{files}` stands inside quoted text here, where a file name could be read as shell code. Write it as a word of its own.';

/** What means something to a shell where it stands outside quotes. `=` matters in the first word only. */
const shellCharacters = new Set('|&;<>()$`*?[]{}~#!\n\r');

/**
 * Reads a configured command. One that holds nothing but words, quoted or not, is split here; anything that a shell must
 * see is left to `sh -c`, where `{files}` becomes `"$@"`. A file name never becomes text of a script.
 */
export function readCommandLine(command: string): CommandLine {
  const words = splitWords(command);
  if (words) return nestFiles(words);
  const script = placeParameters(command);
  return script === undefined ? { kind: 'unsound', problem: quotedFiles } : { kind: 'script', script };
}

/**
 * Puts file names in place of `{files}`, each one an argument of its own. Text that touches the placeholder stays at the
 * first and the last name, as a shell has it with `"$@"`. A name that starts with `-` gets `./` in front.
 */
export function fillFiles(words: readonly string[], files: readonly string[]): string[] {
  const names = files.map(asArgument);
  return words.flatMap((word) => {
    const at = word.indexOf(filesMark);
    if (at < 0) return [word];
    const before = word.slice(0, at);
    const after = word.slice(at + filesMark.length).replaceAll(filesMark, '');
    if (names.length === 0) return before + after === '' ? [] : [before + after];
    return names.map((name, index) => (index === 0 ? before : '') + name + (index === names.length - 1 ? after : ''));
  });
}

/** A file name that no program takes for an option. */
export function asArgument(file: string): string {
  return file.startsWith('-') ? `./${file}` : file;
}

/** The words of a command that no shell needs to see; `undefined` where one does. */
function splitWords(command: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let index = 0;
  while (index < command.length) {
    const character = command.charAt(index);
    if (character === ' ' || character === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
      index += 1;
    } else if (character === "'" || character === '"') {
      const end = command.indexOf(character, index + 1);
      if (end < 0) return undefined;
      const quoted = command.slice(index + 1, end);
      if (character === '"' && hasAny(quoted, '$`\\')) return undefined;
      word = (word ?? '') + quoted;
      index = end + 1;
    } else if (command.startsWith(filesMark, index)) {
      word = (word ?? '') + filesMark;
      index += filesMark.length;
    } else if (character === '\\' || shellCharacters.has(character)) {
      return undefined;
    } else if (character === '=' && words.length === 0) {
      return undefined;
    } else {
      word = (word ?? '') + character;
      index += 1;
    }
  }
  if (word !== undefined) words.push(word);
  return words.length > 0 && words[0] !== '' && !words[0]?.includes(filesMark) ? words : undefined;
}

function hasAny(text: string, characters: string): boolean {
  return [...characters].some((character) => text.includes(character));
}

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh']);

/**
 * `bash -lc 'prettier {files} | tail'` hands its files on to the inner script; elsewhere a placeholder inside quoted text
 * with blanks is a script of some kind, and unsound.
 */
function nestFiles(words: readonly string[]): CommandLine {
  if (!words.some((word) => isText(word))) return { kind: 'words', words };
  const program = (words[0] ?? '').split('/').at(-1) ?? '';
  const inner = words.at(-1) ?? '';
  const option = words.at(-2) ?? '';
  const isScript = shells.has(program) && option.startsWith('-') && !option.startsWith('--') && option.endsWith('c');
  if (isScript && !words.slice(0, -1).some((word) => word.includes(filesMark))) {
    const script = placeParameters(inner);
    if (script !== undefined) return { kind: 'words', words: [...words.slice(0, -1), script, 'cagr', filesMark] };
  }
  return { kind: 'unsound', problem: quotedFiles };
}

function isText(word: string): boolean {
  return word.includes(filesMark) && [...word.replaceAll(filesMark, '')].some((character) => isSpecial(character));
}

function isSpecial(character: string): boolean {
  return character === ' ' || character === '\t' || shellCharacters.has(character);
}

/**
 * Turns each `{files}` of a script into `"$@"`. Inside quotes it may only stand alone (`"{files}"`); `undefined` where it
 * is part of a longer quoted text.
 */
function placeParameters(script: string): string | undefined {
  const parameters = '"$@"';
  let placed = '';
  let index = 0;
  /** What encloses the current place: a double quote, or a parenthesis (of `$(` or of a subshell). */
  const open: ('"' | '(')[] = [];
  while (index < script.length) {
    const character = script.charAt(index);
    const quoted = open.at(-1) === '"';
    let length = 1;
    if (script.startsWith(filesMark, index)) {
      if (quoted) return undefined;
      placed += parameters;
      index += filesMark.length;
      continue;
    }
    if (character === '\\') {
      length = 2;
    } else if (character === '"' && quoted) {
      open.pop();
    } else if (character === '"' || (character === "'" && !quoted)) {
      const end = script.indexOf(character, index + 1);
      const text = end < 0 ? '' : script.slice(index + 1, end);
      if (text === filesMark) {
        placed += parameters;
        index = end + 1;
        continue;
      }
      if (character === '"') open.push('"');
      else if (text.includes(filesMark)) return undefined;
      else length = end < 0 ? 1 : end + 1 - index;
    } else if (character === '(' && (!quoted || script.charAt(index - 1) === '$')) {
      open.push('(');
    } else if (character === ')' && open.at(-1) === '(') {
      open.pop();
    }
    placed += script.slice(index, index + length);
    index += length;
  }
  return placed;
}
