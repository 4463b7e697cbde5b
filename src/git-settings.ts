/**
 * The syntax of git's configuration as text in and entries out: config files, `-c` settings, and the variables that carry
 * settings from one git to the next. Source: git-config(1) and the behaviour of git 2.39.
 */

/** One setting. `value` is `null` where a key stands without `=`, which git reads as true. */
export interface ConfigEntry {
  /** In git's canonical form: section and name in lower case, what stands between them as written. */
  readonly key: string;
  readonly value: string | null;
}

const end = '';
const escapes: Readonly<Record<string, string>> = { t: '\t', b: '\b', n: '\n', '\\': '\\', '"': '"' };

const isLetter = (char: string): boolean => /^[A-Za-z]$/.test(char);
const isKeyChar = (char: string): boolean => /^[A-Za-z0-9-]$/.test(char);
const isSpace = (char: string): boolean => char === ' ' || char === '\t' || char === '\n' || char === '\r';

class Reader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text.startsWith('\uFEFF') ? text.slice(1) : text;
  }

  /** The next character, `\r\n` as `\n`; the empty string behind the last one. */
  next(): string {
    let char = this.text.charAt(this.at);
    this.at += 1;
    if (char === '\r' && this.text.charAt(this.at) === '\n') {
      char = '\n';
      this.at += 1;
    }
    return char;
  }

  /** Takes what a sticky pattern finds here; it must not match the empty text. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }
}

// Nearly every line is of one of these two shapes; to read them at once is what keeps a file of thousands of branches cheap.
const plainSection = /[ \t]*\[([A-Za-z0-9.-]+)(?:[ \t]+"([^"\\\r\n]*)")?\][ \t]*(?:\n|$)/y;
const plainEntry = /[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*=[ \t]*([^"\\#;\r\n]*)(?:\n|$)/y;

/** Reads a config file. Git refuses a file with a broken line; here the entries above that line count. */
export function parseConfig(text: string): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  const reader = new Reader(text);
  let section = '';
  for (;;) {
    const head = reader.take(plainSection);
    if (head) {
      const [, name = '', middle] = head;
      section = name.toLowerCase() + (middle === undefined ? '' : `.${middle}`);
      continue;
    }
    const line = reader.take(plainEntry);
    if (line) {
      const [, name = '', value = ''] = line;
      entries.push({ key: keyIn(section, name.toLowerCase()), value: withoutEndBlanks(value) });
      continue;
    }
    const char = reader.next();
    if (char === end) break;
    if (isSpace(char)) continue;
    if (char === '#' || char === ';') {
      if (!skipLine(reader)) break;
      continue;
    }
    if (char === '[') {
      const name = readSection(reader);
      if (name === undefined) break;
      section = name;
      continue;
    }
    if (!isLetter(char)) break;
    const entry = readEntry(reader, section, char);
    if (entry === undefined) break;
    entries.push(entry);
  }
  return entries;
}

function skipLine(reader: Reader): boolean {
  for (;;) {
    const char = reader.next();
    if (char === end) return false;
    if (char === '\n') return true;
  }
}

/** What stands between `[` and `]`: `remote.origin` of `[remote "origin"]`, and of the old form `[remote.origin]`. */
function readSection(reader: Reader): string | undefined {
  let name = '';
  for (;;) {
    const char = reader.next();
    if (char === ']') return name;
    if (char !== end && isSpace(char)) return readSubsection(reader, name, char);
    if (char !== '.' && !isKeyChar(char)) return undefined;
    name += char.toLowerCase();
  }
}

function readSubsection(reader: Reader, section: string, space: string): string | undefined {
  let char = space;
  while (char !== end && isSpace(char)) {
    if (char === '\n') return undefined;
    char = reader.next();
  }
  if (char !== '"') return undefined;
  let name = `${section}.`;
  for (;;) {
    char = reader.next();
    if (char === '"') return reader.next() === ']' ? name : undefined;
    if (char === '\\') char = reader.next();
    if (char === end || char === '\n') return undefined;
    name += char;
  }
}

function readEntry(reader: Reader, section: string, first: string): ConfigEntry | undefined {
  let name = first.toLowerCase();
  let char = reader.next();
  while (isKeyChar(char)) {
    name += char.toLowerCase();
    char = reader.next();
  }
  while (char === ' ' || char === '\t') char = reader.next();
  const key = keyIn(section, name);
  if (char === end || char === '\n') return { key, value: null };
  if (char !== '=') return undefined;
  const value = readValue(reader);
  return value === undefined ? undefined : { key, value };
}

function withoutEndBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1;
  return text.slice(0, end);
}

const keyIn = (section: string, name: string): string => (section === '' ? name : `${section}.${name}`);

function readValue(reader: Reader): string | undefined {
  let value = '';
  let spaces = '';
  let quoted = false;
  for (;;) {
    let char = reader.next();
    if (char === end || char === '\n') return quoted ? undefined : value;
    if (!quoted && isSpace(char)) {
      if (value !== '') spaces += char;
      continue;
    }
    if (!quoted && (char === '#' || char === ';')) {
      skipLine(reader);
      return value;
    }
    value += spaces;
    spaces = '';
    if (char === '"') {
      quoted = !quoted;
      continue;
    }
    if (char === '\\') {
      char = reader.next();
      if (char === end || char === '\n') continue;
      const escaped = escapes[char];
      if (escaped === undefined) return undefined;
      char = escaped;
    }
    value += char;
  }
}

/** A key in git's canonical form, or `undefined` for one without a section or a name. */
export function canonicalKey(key: string): string | undefined {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  const section = key.slice(0, first);
  const name = key.slice(last + 1);
  if (first < 1 || !/^[A-Za-z0-9-]+$/.test(section) || !/^[A-Za-z][A-Za-z0-9-]*$/.test(name)) return undefined;
  return section.toLowerCase() + key.slice(first, last + 1) + name.toLowerCase();
}

/** Reads a `name=value` pair as `git -c` takes it. */
function parseSetting(text: string): ConfigEntry | undefined {
  const equals = text.indexOf('=');
  const key = canonicalKey(equals < 0 ? text : text.slice(0, equals));
  if (key === undefined) return undefined;
  return { key, value: equals < 0 ? null : text.slice(equals + 1) };
}

/**
 * Reads GIT_CONFIG_PARAMETERS, in which git hands its `-c` settings on: `'key'='value'` (since 2.31) or `'key=value'`,
 * parted by spaces, each word quoted as for a shell. A broken list gives nothing, as git then stops.
 */
export function parseParameters(text: string): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  let rest = text.trimStart();
  while (rest !== '') {
    const first = unquote(rest);
    if (first === undefined) return [];
    rest = first.rest;
    if (rest.startsWith('=')) {
      const key = canonicalKey(first.word);
      if (key === undefined) return [];
      const second = rest.startsWith("='") ? unquote(rest.slice(1)) : undefined;
      rest = second?.rest ?? rest.slice(1);
      entries.push({ key, value: second?.word ?? null });
    } else {
      const entry = parseSetting(first.word);
      if (entry === undefined) return [];
      entries.push(entry);
    }
    if (rest !== '' && !isSpace(rest.charAt(0))) return [];
    rest = rest.trimStart();
  }
  return entries;
}

/** Takes one word in single quotes off the front; `'\''` and `'\!'` stand for a quote and an exclamation mark. */
function unquote(text: string): { word: string; rest: string } | undefined {
  if (!text.startsWith("'")) return undefined;
  let word = '';
  let at = 1;
  for (;;) {
    const close = text.indexOf("'", at);
    if (close < 0) return undefined;
    word += text.slice(at, close);
    const escaped = text.charAt(close + 2);
    if (text.charAt(close + 1) !== '\\' || (escaped !== "'" && escaped !== '!') || text.charAt(close + 3) !== "'") {
      return { word, rest: text.slice(close + 1) };
    }
    word += escaped;
    at = close + 4;
  }
}

/** Reads GIT_CONFIG_COUNT with its GIT_CONFIG_KEY_<n> and GIT_CONFIG_VALUE_<n>. */
export function parseCounted(variable: (name: string) => string | null | undefined): readonly ConfigEntry[] {
  const count = Number(variable('GIT_CONFIG_COUNT') || 0);
  const entries: ConfigEntry[] = [];
  if (!Number.isInteger(count) || count > 1_000) return entries;
  for (let index = 0; index < count; index += 1) {
    const key = canonicalKey(variable(`GIT_CONFIG_KEY_${index}`) ?? '');
    if (key !== undefined) entries.push({ key, value: variable(`GIT_CONFIG_VALUE_${index}`) ?? null });
  }
  return entries;
}

/** Whether a value means true to git; `undefined` (no such key) and text that is no boolean are false. */
export function isTrue(value: string | undefined): boolean {
  if (value === undefined) return false;
  return /^(true|yes|on)$/i.test(value) || (/^-?\d+$/.test(value) && Number(value) !== 0);
}
