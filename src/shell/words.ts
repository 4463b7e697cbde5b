import { evaluateArithmetic } from './arithmetic.ts';
import { expandBraces } from './braces.ts';
import {
  type CommandExpansionPart,
  type HereDoc,
  mayHoldCommand,
  type ParameterExpansionPart,
  type ProcessSubstitutionPart,
  parseScript,
  type SyntaxNode,
  type Word,
  type WordPart,
} from './parse.ts';
import { longestMatched, matchesPattern, removeMatch } from './patterns.ts';
import type { Scope } from './scope.ts';
import { hole, isKnown, longestText, quoteText, type Text } from './text.ts';

/** What the expansion of a word needs of the reader. */
export interface WordSetting {
  readonly scope: Scope;
  /** The person's home folder. */
  readonly home: string;
  /** Whether a variable that the script does not set is sure to be unset, as far as that can be told. */
  isUnset(name: string): boolean;
  /** Reads the script of `$(…)` and gives its output, without the newlines at its end. */
  substitute(part: CommandExpansionPart): Text;
  /** Reads the script of `<(…)` or `>(…)` and gives the name of the file that stands for it. */
  processFile(part: ProcessSubstitutionPart): Text;
  /** Reads the scripts that stand in a node whose value is not worked out. */
  readNested(node: SyntaxNode): void;
  /** The same for words of another text. */
  withSource(source: string): WordSetting;
  /** Takes work off the reader's budget; `false` when that is used up. */
  spend(steps: number): boolean;
}

/**
 * The words that a word of a command line becomes: quotes taken off, variables and substitutions put in as far as they
 * are known, braces expanded, unquoted values split at blanks. What can't be known is a {@link hole}.
 *
 * A glob stays as it is written (`rm .githooks/*` has the word `.githooks/*`): that is what the program gets when nothing
 * matches, and a guard that judges paths can read it. `IFS` is taken to be the usual one unless the script sets it.
 *
 * @param isElement the word stands in the value of an array, where what looks like an assignment is none.
 */
export function expandFields(word: Word, setting: WordSetting, isElement = false): readonly Text[] {
  if (isPlain(word.text)) return [word.text];
  const parts = word.parts;
  if (!parts) return [literalText(word, wholeWord(word, isElement ? 'element' : 'argument'), setting)];
  if (parts.some((part) => part.type === 'BraceExpansion')) return expandBraceWord(word, setting);
  const fields = new Fields(setting);
  for (const [index, part] of parts.entries())
    addPart(part, placeOf(word, parts, index, isElement ? 'element' : 'argument'), fields, setting);
  return fields.finish();
}

/** A word where bash does not split: the value of an assignment, a redirect's target, a here-string, the word of `case`. */
export function expandText(word: Word, setting: WordSetting, isAssignment = false): Text {
  if (isPlain(word.text)) return word.text;
  const parts = word.parts;
  if (!parts) return literalText(word, wholeWord(word, isAssignment ? 'value' : 'element'), setting);
  let text = '';
  for (const [index, part] of parts.entries())
    text += partText(part, placeOf(word, parts, index, isAssignment ? 'value' : 'element'), setting);
  return bound(text, setting);
}

/** The text that a here-document feeds. */
export function expandHereDoc(doc: HereDoc, setting: WordSetting): Text {
  const { body, delimiter } = doc;
  const tabs = doc.operator === '<<-';
  const isLiteral = delimiter?.quoted || !/[$`\\]/.test(body.text);
  if (isLiteral) return tabs ? withoutTabs(body.text, true) : body.text;
  if (!body.parts) {
    // Nothing is expanded, but the backslashes count.
    const text = body.text.replaceAll(/\\([$`\\\n])/g, (_, escaped: string) => (escaped === '\n' ? '' : escaped));
    return tabs ? withoutTabs(text, true) : text;
  }
  let text = '';
  for (const part of body.parts) {
    if (part.type === 'Literal')
      text += tabs ? withoutTabs(part.value, text === '' || text.endsWith('\n')) : part.value;
    else text += partText(part, undefined, setting);
    if (text.length > longestText) return hole;
  }
  return bound(text, setting);
}

function withoutTabs(text: string, atLineStart: boolean): string {
  return text
    .split('\n')
    .map((line, index) => (index > 0 || atLineStart ? line.replace(/^\t+/, '') : line))
    .join('\n');
}

/** No character that the shell would treat in a special way, but for globs, which stay as they are. */
const isPlain = (text: string): boolean => !/[$`'"\\{~<>\uE000]/.test(text);

function bound(text: Text, setting: WordSetting): Text {
  if (text.length > longestText) return hole;
  if (text.length > 64 && !setting.spend(text.length >> 6)) return hole;
  return text;
}

/** Where a literal part of a word stands, which decides what its tildes mean. */
interface Place {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** The part before it ends in a colon that is not quoted. */
  readonly afterColon: boolean;
  /** The length of the `NAME=` in front of the value; `undefined` where the word is no assignment. */
  readonly name: number | undefined;
}

type Use = 'argument' | 'value' | 'element';

const wholeWord = (word: Word, use: Use): Place => ({
  isFirst: true,
  isLast: true,
  afterColon: false,
  name: nameLength(word, use),
});

function placeOf(word: Word, parts: readonly WordPart[], index: number, use: Use): Place {
  const before = parts[index - 1];
  return {
    isFirst: index === 0,
    isLast: index === parts.length - 1,
    afterColon: before?.type === 'Literal' && before.text.endsWith(':'),
    name: nameLength(word, use),
  };
}

/** Bash treats an argument that looks like an assignment as one: `dd of=~/x`, but not `--of=~/x`. */
function nameLength(word: Word, use: Use): number | undefined {
  if (use === 'element' || !word.text.includes('~')) return undefined;
  return use === 'value' ? 0 : /^[A-Za-z_]\w*=/.exec(word.text)?.[0].length;
}

/**
 * Literal text with its tildes expanded: at the start of a word, and in an assignment after each colon too. A tilde
 * counts only if what follows up to the next slash is neither quoted nor expanded.
 */
function literalText(
  part: { readonly text: string; readonly value: string },
  place: Place | undefined,
  setting: WordSetting,
): Text {
  const { text, value } = part;
  if (!place || !text.includes('~')) return value;
  const { isFirst, isLast, afterColon, name } = place;
  if (name === undefined) {
    const isEnded = isLast || value.includes('/');
    return isFirst && text.startsWith('~') && isEnded ? withHome(value, setting) : value;
  }
  const start = isFirst ? name : 0;
  const segments = text.slice(start).split(/(?<!\\):/);
  const expanded = segments.map((segment, index) => {
    const isStart = index > 0 || isFirst || afterColon;
    const isEnded = index < segments.length - 1 || isLast || segment.includes('/');
    const isPlainPrefix = !segment.split('/', 1)[0]?.includes('\\');
    const bare = unescapeWord(segment);
    return isStart && isEnded && isPlainPrefix && segment.startsWith('~') ? withHome(bare, setting) : bare;
  });
  return text.slice(0, start) + expanded.join(':');
}

/** Takes the backslashes off text that is not quoted; one in front of a line's end joins the lines. */
const unescapeWord = (text: string): string =>
  text.replaceAll(/\\([\s\S])/g, (_, escaped: string) => (escaped === '\n' ? '' : escaped));

function withHome(value: string, { home, scope }: WordSetting): Text {
  const end = value.search(/[/:]/);
  const prefix = end < 0 ? value : value.slice(0, end);
  const rest = end < 0 ? '' : value.slice(end);
  if (prefix === '~') return homeFolder(scope, home) + rest;
  if (prefix === '~+') return (scope.cwd ?? hole) + rest;
  if (prefix === '~-') return (scope.previous ?? hole) + rest;
  // Someone's home folder, which is not in any file that is read here.
  return /^~[\w.-]+$/.test(prefix) ? hole + rest : value;
}

function homeFolder(scope: Scope, home: string): Text {
  const set = scope.get('HOME');
  return set ? (set.text ?? hole) : home;
}

function expandBraceWord(word: Word, setting: WordSetting): readonly Text[] {
  if (!setting.spend(1)) return [hole];
  const texts = expandBraces(word.text);
  if (!texts) {
    setting.readNested(word);
    return [hole];
  }
  const fields: Text[] = [];
  for (const text of texts) {
    if (!setting.spend(1 + (text.length >> 6))) return [hole];
    if (text === '') continue;
    if (isPlain(text)) {
      fields.push(text);
      continue;
    }
    const command = parseScript(`: ${text}`);
    const node = command.tree.commands[0]?.command;
    const argument = node?.type === 'Command' && node.args.length === 1 ? node.args[0] : undefined;
    if (argument?.type !== 'Word') fields.push(hole);
    else if (argument.parts?.some((part) => part.type === 'BraceExpansion')) fields.push(argument.text);
    else for (const field of expandFields(argument, setting.withSource(command.source))) fields.push(field);
  }
  return fields;
}

/** With an `IFS` of the script's own only a text of name characters is sure to stay whole. */
const splitsAnyway = (text: Text): Text => (/^[\w./-]*$/.test(text) ? text : hole);

/** Builds the fields of one word. */
class Fields {
  readonly #fields: Text[] = [];
  readonly #setting: WordSetting;
  #current = '';
  /** Whether the current field exists even when it is empty: `""` is a word, an unset `$x` is none. */
  #exists = false;

  constructor(setting: WordSetting) {
    this.#setting = setting;
  }

  add(text: Text): void {
    this.#current += text;
    this.#exists = true;
  }

  /** Puts in the value of an unquoted expansion. */
  split(text: Text): void {
    if (text === '') return;
    const pieces = this.#setting.scope.get('IFS') === undefined ? text.split(/[ \t\n]+/) : [splitsAnyway(text)];
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) this.#close();
      if (piece !== '') this.add(piece);
    }
  }

  /** Puts in the fields of `"$@"`: the first joins what stands before it, the last what follows. */
  spread(items: readonly Text[]): void {
    items.forEach((item, index) => {
      if (index > 0) this.#close();
      this.add(item);
    });
  }

  finish(): readonly Text[] {
    this.#close();
    return this.#fields;
  }

  #close(): void {
    if (this.#exists) this.#fields.push(bound(this.#current, this.#setting));
    this.#current = '';
    this.#exists = false;
  }
}

function addPart(part: WordPart, place: Place, fields: Fields, setting: WordSetting): void {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
    const spreads = part.parts.some((child) => spreadItems(child, setting) !== undefined);
    if (!spreads) fields.add(partText(part, place, setting));
    // `"$@"` without arguments is no word at all.
    else {
      for (const child of part.parts) {
        const items = spreadItems(child, setting);
        if (items) fields.spread(items);
        else fields.add(partText(child, undefined, setting));
      }
    }
  } else if (part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion') {
    const items = spreadItems(part, setting) ?? allItems(part, setting);
    if (!items) fields.split(partText(part, place, setting));
    for (const [index, item] of (items ?? []).entries()) fields.split(index > 0 ? ` ${item}` : item);
  } else if (part.type === 'CommandExpansion' || part.type === 'ArithmeticExpansion') {
    fields.split(partText(part, place, setting));
  } else {
    const text = partText(part, place, setting);
    // Lines that are joined inside of a word leave nothing behind.
    if (text !== '' || part.type !== 'Literal') fields.add(text);
  }
}

/** The items of `$@` or `${array[@]}`, which stay apart even in double quotes; `undefined` for everything else. */
function spreadItems(part: WordPart, setting: WordSetting): readonly Text[] | undefined {
  if (part.type === 'SimpleExpansion' && part.text === '$@') return setting.scope.args ?? [hole];
  if (part.type !== 'ParameterExpansion' || part.prefix || part.operation) return undefined;
  if (part.parameter === '@') return setting.scope.args ?? [hole];
  return part.index?.text === '@' ? arrayItems(part.parameter, setting) : undefined;
}

function allItems(part: WordPart, setting: WordSetting): readonly Text[] | undefined {
  if (part.type === 'SimpleExpansion' && part.text === '$*') return setting.scope.args ?? [hole];
  if (part.type !== 'ParameterExpansion' || part.prefix || part.operation) return undefined;
  if (part.parameter === '*') return setting.scope.args ?? [hole];
  return part.index?.text === '*' ? arrayItems(part.parameter, setting) : undefined;
}

function arrayItems(name: string, { scope }: WordSetting): readonly Text[] {
  const variable = scope.get(name);
  if (!variable) return [hole];
  if (variable.items !== undefined) return variable.items ?? [hole];
  return variable.text === undefined ? [] : [variable.text];
}

/** A part as text that is not split. */
function partText(part: WordPart, place: Place | undefined, setting: WordSetting): Text {
  switch (part.type) {
    case 'Literal':
      return literalText(part, place, setting);
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map((child) => partText(child, undefined, setting)).join('');
    case 'Glob':
      if (!mayExpand(part.text)) return part.value;
      break;
    case 'ExtendedGlob':
      if (!mayExpand(part.text)) return part.text;
      break;
    case 'BraceExpansion':
      return part.text;
    case 'SimpleExpansion':
      return joined(spreadItems(part, setting) ?? allItems(part, setting)) ?? textOf(part.text.slice(1), setting) ?? '';
    case 'ParameterExpansion':
      return joined(spreadItems(part, setting) ?? allItems(part, setting)) ?? parameterText(part, setting);
    case 'CommandExpansion':
      return setting.substitute(part);
    case 'ArithmeticExpansion': {
      setting.readNested(part);
      const value = part.expression && evaluateArithmetic(part.expression, (name) => textOf(name, setting));
      return value === undefined ? hole : String(value);
    }
    case 'ProcessSubstitution':
      return setting.processFile(part);
  }
  setting.readNested(part);
  return hole;
}

const mayExpand = (text: string): boolean => text.includes('$') || mayHoldCommand(text);

const joined = (items: readonly Text[] | undefined): Text | undefined => items?.join(' ');

/** The text of a variable or special parameter; `undefined` when it is known to be unset. */
function textOf(name: string, { scope, home }: WordSetting): Text | undefined {
  if (name === '0') return scope.zero ?? hole;
  if (/^\d+$/.test(name)) return scope.args ? scope.args[Number(name) - 1] : hole;
  if (name === '#') return scope.args ? String(scope.args.length) : hole;
  const variable = scope.get(name);
  if (variable) return variable.text;
  if (name === 'HOME') return home;
  if (name === 'PWD') return scope.cwd ?? hole;
  if (name === 'OLDPWD') return scope.previous ?? hole;
  // The shell's own environment may hold it, and its start-up files may change it: unknown.
  return hole;
}

function parameterText(part: ParameterExpansionPart, setting: WordSetting): Text {
  const { operation, parameter, prefix, index } = part;
  if (index) setting.readNested(index);
  const isPlain = !prefix && !index && operation?.type === 'Default' && /^:?[-=]$/.test(operation.operator);
  // `${BRANCH:-main}`, where nothing says what else it could be.
  const value =
    isPlain && !setting.scope.get(parameter) && setting.isUnset(parameter) ? undefined : prefixed(part, setting);
  if (!operation) return value ?? '';
  if (operation.type === 'Default') {
    const { operator, operand } = operation;
    const isSet = value !== undefined && (value !== '' || !operator.startsWith(':'));
    if (value !== undefined && !isKnown(value)) {
      // It may be set or not, so the other way is read for its commands only.
      expandText(operand, setting);
      return hole;
    }
    if (operator.endsWith('+')) return isSet ? expandText(operand, setting) : '';
    if (isSet) return value;
    if (operator.endsWith('?')) return hole;
    const text = expandText(operand, setting);
    if (operator.endsWith('=') && !prefix && !index) setting.scope.assign(parameter, text);
    return text;
  }
  setting.readNested(operation);
  if (value === undefined || value === '') return '';
  if (!isKnown(value)) return hole;
  switch (operation.type) {
    case 'Remove': {
      const pattern = patternText(operation.operand, setting);
      return pattern === undefined ? hole : (removeMatch(value, pattern, operation.operator) ?? hole);
    }
    case 'Replace': {
      const pattern = patternText(operation.pattern, setting);
      const replacement = expandText(operation.replacement, setting);
      if (!pattern || /[*?]/.test(pattern) || !isKnown(replacement) || replacement.includes('&')) return hole;
      if (operation.operator === '/') return value.replace(pattern, () => replacement);
      if (operation.operator === '//') return value.replaceAll(pattern, () => replacement);
      if (operation.operator === '/#') {
        return value.startsWith(pattern) ? replacement + value.slice(pattern.length) : value;
      }
      return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) + replacement : value;
    }
    case 'Slice': {
      const offset = wholeNumber(operation.offset);
      const length = operation.length ? wholeNumber(operation.length) : Number.POSITIVE_INFINITY;
      if (offset === undefined || length === undefined || length < 0) return hole;
      const from = offset < 0 ? value.length + offset : offset;
      return from < 0 ? '' : value.slice(from, from + length);
    }
    case 'CaseModification': {
      if (operation.operand) return hole;
      const isUpper = operation.operator.startsWith('^');
      const change = (text: string) => (isUpper ? text.toUpperCase() : text.toLowerCase());
      return operation.operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
    }
    case 'Transform':
      return operation.operand.text === 'Q' ? quoteText(value) : hole;
    case 'Names':
    case 'Unknown':
      return hole;
  }
}

/** The value that a parameter expansion starts from: `${x}`, `${x[1]}`, `${#x}`, `${!x}`. */
function prefixed({ parameter, prefix, index }: ParameterExpansionPart, setting: WordSetting): Text | undefined {
  if (prefix === '#') {
    if (index?.text === '@' || index?.text === '*') {
      const items = arrayItems(parameter, setting);
      return items.every(isKnown) ? String(items.length) : hole;
    }
    if (index) return hole;
    const value = textOf(parameter, setting);
    if (value === undefined) return '0';
    return isKnown(value) ? String(value.length) : hole;
  }
  if (index) {
    const items = setting.scope.get(parameter)?.items;
    const at = wholeNumber(index);
    if (!items || at === undefined) return hole;
    return items.at(at);
  }
  const value = textOf(parameter, setting);
  if (prefix !== '!') return value;
  return value !== undefined && /^[A-Za-z_]\w*$/.test(value) ? textOf(value, setting) : hole;
}

/** Whether the word of a `case` matches a pattern; `undefined` where only the run can tell. */
export function matchesWord(text: Text, pattern: Word, setting: WordSetting): boolean | undefined {
  if (pattern.text === '*') return true;
  if (mayExpand(pattern.text)) {
    setting.readNested(pattern);
    return undefined;
  }
  const wanted = patternText(pattern, setting);
  if (!isKnown(text) || wanted === undefined || text.length > longestMatched) return undefined;
  return matchesPattern(wanted, text);
}

/** A pattern of literal text, `*` and `?`; `undefined` where it has more than that. */
function patternText(word: Word, setting: WordSetting): string | undefined {
  const text = expandText(word, setting);
  if (!isKnown(text) || /[[\]\\]/.test(text)) return undefined;
  const isQuoted = /["'\\$`]/.test(word.text);
  return isQuoted && /[*?]/.test(text) ? undefined : text;
}

function wholeNumber(word: Word): number | undefined {
  const text = word.text.trim().replace(/^\((.*)\)$/, '$1');
  return /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}
