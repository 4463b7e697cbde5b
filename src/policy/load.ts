import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { configReader, maxBytes, type ReadConfig, toText } from './at.ts';
import { compile } from './compile.ts';
import { ConfigError, type ConfigSource, type Mistake } from './config-error.ts';
import { findExtended } from './extended.ts';
import { isSystemError, pythonFileName } from './find.ts';
import type { Flaw } from './flaws.ts';
import { formatKey } from './key-path.ts';
import { mergeConfigs } from './merge.ts';
import type { Policy } from './policy.ts';
import type { Config } from './schema.ts';
import { syntaxFlaw } from './syntax.ts';
import { codeRuleIds, crossCheck, isTable, type PlacedFlaw, type Table, validate } from './validate.ts';

// Reads, validates and compiles configs, for everything that asks `policyAt` once this file is loaded.

/**
 * One config with all that it extends. Throws `ConfigError` with every mistake; those of validation have no line yet,
 * which `locateMistakes` looks up.
 */
export const loadPolicy = (file: string): Policy => readConfig(file).policy;

function readConfig(file: string): ReadConfig {
  const own = path.resolve(file);
  const reading = new Reading(path.dirname(own));
  reading.read(own, []);
  const config = reading.finish();
  const policy = compile(config, { root: path.dirname(own), file: own, extended: reading.extended });
  const { text } = reading;
  return { policy, kept: text === undefined ? undefined : { text, config } };
}

interface Layer {
  readonly name: string;
  readonly value: Table;
}

/** The files of one config, the extended before the extending. */
class Reading {
  readonly #layers: Layer[] = [];
  readonly #mistakes: Mistake[] = [];
  /** A file that two others extend is applied once, in its first place, so that it undoes nothing. */
  readonly #read = new Set<string>();
  readonly #sources = new Map<string, ConfigSource>();
  readonly #root: string;
  readonly #extended: string[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  /** `chain` holds the real paths of the files that led here and of this one; it is empty for the first. */
  read(file: string, chain: readonly string[]): void {
    const name = this.#nameOf(file);
    const text = readText(file);
    if (typeof text !== 'string') {
      this.#note(name, { ...text, path: [] });
      return;
    }
    const table = path.basename(file) === pythonFileName ? ['tool', 'cagr'] : [];
    this.#sources.set(name, { text, table });
    const value = this.#parse(text, table, name);
    if (value === undefined) return;
    this.#extend(value, file, name, chain);
    this.#layers.push({ name, value });
  }

  /** The text of the one file that was read; `undefined` where it names others. */
  get text(): string | undefined {
    const [source, other] = [...this.#sources.values()];
    return this.#layers.some(({ value }) => value.extends !== undefined) || other ? undefined : source?.text;
  }

  /** Every file that was read but the first. */
  get extended(): readonly string[] {
    return this.#extended;
  }

  /** The merged config with its defaults. Throws `ConfigError` if there was any mistake. */
  finish(): Config {
    const codeRules = new Set(this.#layers.flatMap(({ value }) => codeRuleIds(value)));
    let config: Config | undefined;
    const check = ({ name, value }: Layer): void => {
      const result = validate(value);
      config = result.config;
      const crossed = crossCheck(value, codeRules);
      const keys = new Set(crossed.map((flaw) => formatKey(flaw.path)));
      // What an unknown rule is set to is no second mistake.
      const own = result.flaws.filter((flaw) => !keys.has(formatKey(flaw.path)));
      for (const flaw of [...own, ...crossed]) this.#note(name, flaw);
    };
    for (const layer of this.#layers) check(layer);
    const last = this.#layers.at(-1);
    if (last && this.#mistakes.length === 0 && this.#layers.length > 1) {
      check({ name: last.name, value: mergeConfigs(this.#layers.map(({ value }) => value)) });
    }
    if (this.#mistakes.length > 0 || !config) throw new ConfigError(this.#mistakes, { sources: this.#sources });
    return config;
  }

  #nameOf(file: string): string {
    const relative = path.relative(this.#root, file);
    const isBelow = relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
    return isBelow ? relative.replaceAll('\\', '/') : file;
  }

  #note(file: string, flaw: PlacedFlaw): void {
    this.#mistakes.push({ file, line: 0, column: 0, key: formatKey(flaw.path), problem: flaw.problem, fix: flaw.fix });
  }

  #parse(text: string, table: readonly string[], name: string): Table | undefined {
    let value: unknown;
    try {
      value = parse(text, { unsafeKeyBehaviour: 'throw' });
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const { line, column } = error;
      this.#mistakes.push({ file: name, line, column, key: '', ...syntaxFlaw(error, text) });
      return undefined;
    }
    for (const key of table) value = isTable(value) ? value[key] : undefined;
    if (isTable(value)) return value;
    const isThere = value !== undefined;
    this.#note(name, {
      problem: isThere ? 'the config is not a table' : `there is no [${table.join('.')}] in it`,
      fix: `start it with [${table.join('.')}]`,
      path: [],
    });
    return undefined;
  }

  #extend(value: Table, file: string, name: string, above: readonly string[]): void {
    const specifiers = Array.isArray(value.extends) ? (value.extends as unknown[]) : [];
    if (specifiers.length === 0) return;
    const chain = above.length > 0 ? above : [realpathSync(file)];
    for (const [index, specifier] of specifiers.entries()) {
      if (typeof specifier !== 'string' || specifier.trim() === '') continue;
      const found = findExtended(specifier, path.dirname(file));
      if (typeof found !== 'string') {
        this.#note(name, { ...found, path: ['extends', index] });
        continue;
      }
      const real = realpathSync(found);
      if (chain.includes(real)) {
        const names = [...chain.slice(chain.indexOf(real)), real].map((link) => this.#nameOf(link));
        const problem = `it leads back to itself: ${names.join(' → ')}`;
        this.#note(name, { problem, fix: 'take one of these `extends` out', path: ['extends', index] });
        continue;
      }
      if (this.#read.has(real)) continue;
      this.#read.add(real);
      this.#extended.push(found);
      this.read(found, [...chain, real]);
    }
  }
}

/** The text of a config, or why it can't be one. */
function readText(file: string): string | Flaw {
  const name = path.basename(file);
  let bytes: Buffer;
  try {
    const stats = statSync(file);
    if (stats.isDirectory()) return { problem: 'this is a folder', fix: `put the config into a file named ${name}` };
    if (!stats.isFile()) return { problem: 'this is no plain file', fix: `put the config into a file named ${name}` };
    if (stats.size > maxBytes) return { problem: 'the file is larger than 1 MB', fix: 'keep only the config in it' };
    bytes = readFileSync(file);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { problem: `the file can't be read (${error.code})`, fix: 'make it readable for the user that runs cagr' };
  }
  return toText(bytes) ?? { problem: 'the file is not UTF-8', fix: 'save it as UTF-8' };
}

configReader.bring(readConfig);
