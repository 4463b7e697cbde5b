import type { AST } from 'toml-eslint-parser';
import { ConfigError, type ConfigSource, type Mistake } from './config-error.ts';
import { type KeyPath, parseKey } from './key-path.ts';

/**
 * The same error with the line and column of each mistake: of the key, of the entry of a list, or of the table that
 * lacks the key. Mistakes come in the order of the text. It never throws: what can't be found keeps line 0.
 */
export async function locateMistakes(error: ConfigError): Promise<ConfigError> {
  const { parseTOML, ParseError } = await import('toml-eslint-parser');
  const places = new Map<string, (key: KeyPath) => Place | undefined>();
  for (const [file, source] of error.sources) {
    try {
      places.set(file, placesIn(parseTOML(source.text, { tomlVersion: '1.1' }), source));
    } catch (failure) {
      // A syntax error has its place from the first parser.
      if (!(failure instanceof ParseError)) throw failure;
    }
  }
  const files = [...new Set(error.mistakes.map(({ file }) => file))];
  const mistakes = error.mistakes
    .map((mistake): Mistake => {
      if (mistake.line > 0) return mistake;
      const place = places.get(mistake.file)?.(parseKey(mistake.key));
      return place ? { ...mistake, line: place.line, column: place.column + 1 } : mistake;
    })
    .sort((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column);
  return new ConfigError(mistakes, { cause: error.cause, sources: error.sources });
}

/** The parser counts lines from 1 and columns from 0. */
type Place = AST.Position;

/** Where each key of a document stands, by its full path; the nearest one above it for a key that is not there. */
function placesIn(program: AST.TOMLProgram, { table }: ConfigSource): (key: KeyPath) => Place | undefined {
  const found = new Map<string, Place>();
  const note = (path: KeyPath, place: Place): void => {
    const name = JSON.stringify(path);
    if (!found.has(name)) found.set(name, place);
  };
  const noteKey = (base: KeyPath, { keys }: AST.TOMLKey): KeyPath => {
    const path = [...base];
    for (const key of keys) {
      path.push(key.type === 'TOMLBare' ? key.name : key.value);
      note(path, key.loc.start);
    }
    return path;
  };
  const visitValue = (path: KeyPath, value: AST.TOMLContentNode): void => {
    if (value.type === 'TOMLArray') {
      for (const [index, element] of value.elements.entries()) {
        note([...path, index], element.loc.start);
        visitValue([...path, index], element);
      }
    } else if (value.type === 'TOMLInlineTable') {
      for (const pair of value.body) visitValue(noteKey(path, pair.key), pair.value);
    }
  };
  for (const node of program.body[0].body) {
    if (node.type === 'TOMLKeyValue') visitValue(noteKey([], node.key), node.value);
    else {
      for (let length = 1; length <= node.resolvedKey.length; length += 1) {
        note(node.resolvedKey.slice(0, length), node.loc.start);
      }
      for (const pair of node.body) visitValue(noteKey(node.resolvedKey, pair.key), pair.value);
    }
  }
  return (key) => {
    const full = [...table, ...key];
    for (let length = full.length; length >= Math.max(1, table.length); length -= 1) {
      const place = found.get(JSON.stringify(full.slice(0, length)));
      if (place) return place;
    }
    return undefined;
  };
}
