import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { GitConfig } from '../facts.ts';
import { type ConfigEntry, canonicalKey, isTrue, parseConfig, parseCounted, parseParameters } from '../git-settings.ts';
import { readText } from './refs.ts';
import { wildmatch } from './wildmatch.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The checkout whose configuration is read. */
interface ConfigPlace {
  readonly gitDir: string;
  readonly commonDir: string;
  branch(): string | null | undefined;
}

/** How deep files may include each other; git gives up beyond it. */
const deepestInclude = 10;

/**
 * Git's configuration of one checkout, read when it is first asked for: system, global, local, worktree, then what the
 * environment carries, with `include` and `includeIf` (`gitdir`, `gitdir/i`, `onbranch`, `hasconfig:remote.*.url`). A file
 * that can't be read is left out. The system's file is /etc/gitconfig unless GIT_CONFIG_SYSTEM names one: where another is
 * compiled into git can't be known without asking it. Source: git-config(1) of git 2.39.
 */
export function openConfig(place: ConfigPlace, env: Environment): GitConfig {
  let values: Map<string, string[]> | undefined;
  const read = (): Map<string, string[]> => {
    if (values) return values;
    values = new Map();
    // Git reads a key without `=` as true.
    for (const { key, value } of listConfig(place, env)) {
      const before = values.get(key);
      if (before) before.push(value ?? 'true');
      else values.set(key, [value ?? 'true']);
    }
    return values;
  };
  return {
    get: (key) =>
      read()
        .get(canonicalKey(key) ?? key)
        ?.at(-1),
    getAll: (key) => read().get(canonicalKey(key) ?? key) ?? [],
    isUnknown: () => false,
    subsections: (section) => {
      const prefix = `${section.toLowerCase()}.`;
      const names = [...read().keys()].flatMap((key) => {
        const last = key.lastIndexOf('.');
        return key.startsWith(prefix) && last >= prefix.length ? [key.slice(prefix.length, last)] : [];
      });
      return [...new Set(names)];
    },
  };
}

/** Every setting in the order in which git reads them, the later one stronger; what `git config --list` prints. */
export function listConfig(place: ConfigPlace, env: Environment): readonly ConfigEntry[] {
  const reader = new ConfigReader(place, env);
  return reader.read();
}

class ConfigReader {
  readonly #place: ConfigPlace;
  readonly #env: Environment;
  readonly #home: string | undefined;
  #entries: ConfigEntry[] = [];
  /** The URLs of all remotes, for `hasconfig`; files that stand behind such a condition may name none. */
  #remoteUrls: readonly string[] | undefined;
  #collectsUrls = false;

  constructor(place: ConfigPlace, env: Environment) {
    this.#place = place;
    this.#env = env;
    this.#home = env.HOME ?? env.USERPROFILE;
  }

  read(): readonly ConfigEntry[] {
    this.#entries = [];
    const { gitDir, commonDir } = this.#place;
    for (const file of [...this.#systemFiles(), ...this.#globalFiles()]) this.#file(file, 0);
    this.#file(`${commonDir}/config`, 0);
    if (isTrue(localSetting(commonDir, 'extensions.worktreeconfig'))) this.#file(`${gitDir}/config.worktree`, 0);
    const carried = [
      ...parseCounted((name) => this.#env[name]),
      ...parseParameters(this.#env.GIT_CONFIG_PARAMETERS ?? ''),
    ];
    this.#take(carried, undefined, 0);
    return this.#entries;
  }

  #systemFiles(): readonly string[] {
    if (isTrue(this.#env.GIT_CONFIG_NOSYSTEM)) return [];
    return [this.#env.GIT_CONFIG_SYSTEM ?? '/etc/gitconfig'];
  }

  #globalFiles(): readonly string[] {
    const named = this.#env.GIT_CONFIG_GLOBAL;
    if (named !== undefined) return [named];
    const xdg = this.#env.XDG_CONFIG_HOME;
    const folder = xdg ? xdg : this.#home && `${this.#home}/.config`;
    return [...(folder ? [`${folder}/git/config`] : []), ...(this.#home ? [`${this.#home}/.gitconfig`] : [])];
  }

  #file(file: string, depth: number): void {
    const text = file === '' ? undefined : readText(file);
    if (text !== undefined) this.#take(parseConfig(text), file, depth);
  }

  #take(entries: readonly ConfigEntry[], file: string | undefined, depth: number): void {
    for (const entry of entries) {
      this.#entries.push(entry);
      if (entry.value === null || !entry.key.endsWith('.path') || !this.#includes(entry.key, file)) continue;
      const target = this.#includedFile(entry.value, file);
      if (target !== undefined && depth < deepestInclude) this.#file(target, depth + 1);
    }
  }

  #includes(key: string, file: string | undefined): boolean {
    if (key === 'include.path') return true;
    if (!key.startsWith('includeif.')) return false;
    const condition = key.slice('includeif.'.length, -'.path'.length);
    const colon = condition.indexOf(':');
    const kind = condition.slice(0, colon);
    const pattern = condition.slice(colon + 1);
    switch (kind) {
      case 'gitdir':
        return this.#isGitDir(pattern, file, false);
      case 'gitdir/i':
        return this.#isGitDir(pattern, file, true);
      case 'onbranch': {
        const branch = this.#place.branch();
        return typeof branch === 'string' && wildmatch(withStars(pattern), branch);
      }
      case 'hasconfig':
        return pattern.startsWith('remote.*.url:') && this.#hasRemote(pattern.slice('remote.*.url:'.length));
      default:
        return false;
    }
  }

  #isGitDir(condition: string, file: string | undefined, caseless: boolean): boolean {
    let pattern = condition;
    // A pattern that starts in the file's own folder holds that folder's name to the letter, not as a pattern.
    let literal = '';
    if (pattern.startsWith('~/')) pattern = (this.#home === undefined ? '~' : realPath(this.#home)) + pattern.slice(1);
    else if (pattern.startsWith('./')) {
      if (file === undefined) return false;
      literal = `${path.dirname(realPath(file))}/`;
      pattern = withStars(pattern).slice(2);
    } else if (!path.isAbsolute(pattern)) pattern = `**/${pattern}`;
    const places = new Set([realPath(this.#place.gitDir), path.resolve(this.#place.gitDir)]);
    const alike = (text: string): string => (caseless ? text.toLowerCase() : text);
    return [...places].some(
      (place) =>
        alike(place).startsWith(alike(literal)) && wildmatch(withStars(pattern), place.slice(literal.length), caseless),
    );
  }

  #hasRemote(pattern: string): boolean {
    if (this.#collectsUrls) return false;
    if (this.#remoteUrls === undefined) {
      const urls = new ConfigReader(this.#place, this.#env);
      urls.#collectsUrls = true;
      this.#remoteUrls = urls
        .read()
        .flatMap(({ key, value }) => (/^remote\..*\.url$/s.test(key) && value ? [value] : []));
    }
    return this.#remoteUrls.some((url) => wildmatch(withStars(pattern), url));
  }

  #includedFile(written: string, file: string | undefined): string | undefined {
    const target = written.startsWith('~/') && this.#home !== undefined ? this.#home + written.slice(1) : written;
    if (path.isAbsolute(target)) return target;
    return file === undefined ? undefined : path.join(path.dirname(realPath(file)), target);
  }
}

/** A setting of the repository's own file, without includes: what git itself asks before it knows the rest. */
export function localSetting(commonDir: string, key: string): string | undefined {
  const text = readText(`${commonDir}/config`) ?? '';
  if (!text.toLowerCase().includes(key.slice(key.lastIndexOf('.') + 1))) return undefined;
  const found = parseConfig(text).findLast((entry) => entry.key === key);
  return found && (found.value ?? 'true');
}

const withStars = (pattern: string): string => (pattern.endsWith('/') ? `${pattern}**` : pattern);

const realPath = (file: string): string => (existsSync(file) ? realpathSync(file) : path.resolve(file));
