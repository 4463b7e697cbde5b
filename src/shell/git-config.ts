import type { GitConfig, Repo } from '../facts.ts';
import { canonicalKey, isTrue, parseCounted, parseParameters } from '../git-settings.ts';
import type { GitCall } from './git-options.ts';
import type { Word } from './invocation.ts';
import { isKnown, showText, textOf, toWord } from './text.ts';

/** A setting that holds for one command alone. */
export interface CarriedSetting {
  /** In git's canonical form: `core.hookspath`. */
  readonly key: string;
  readonly value: Word;
  /** The words that carry it, as written: `-c core.hooksPath=/dev/null`. */
  readonly text: string;
  /** Where the option that carries it stands in `argv`; `undefined` for a variable. */
  readonly index: number | undefined;
}

/**
 * The settings that a command line brings with it, in the order in which git reads them: GIT_CONFIG_COUNT and its pairs,
 * GIT_CONFIG_PARAMETERS, `-c` and `--config-env`.
 */
export function carriedSettings(call: GitCall): readonly CarriedSetting[] {
  const { env } = call.invocation;
  const counted = parseCounted((name) => env.get(name)).map(({ key, value }) => ({
    key,
    value,
    text: 'GIT_CONFIG_COUNT',
    index: undefined,
  }));
  const handedOn = parseParameters(env.get('GIT_CONFIG_PARAMETERS') ?? '').map(({ key, value }) => ({
    key,
    value: value ?? 'true',
    text: 'GIT_CONFIG_PARAMETERS',
    index: undefined,
  }));
  return [...counted, ...handedOn, ...call.globals.flatMap((option) => settingOf(call, option))];
}

function settingOf(call: GitCall, { name, value, text, index }: GitCall['globals'][number]): readonly CarriedSetting[] {
  if ((name !== 'c' && name !== 'config-env') || value === undefined) return [];
  const written = textOf(value);
  // A variable's name holds no `=`, a value may: so the one is parted at the last, the other at the first.
  const equals = name === 'c' ? written.indexOf('=') : written.lastIndexOf('=');
  const whole = equals < 0 ? written : written.slice(0, equals);
  const key = isKnown(whole) ? canonicalKey(whole) : undefined;
  if (key === undefined) return [];
  const given = equals < 0 ? 'true' : written.slice(equals + 1);
  return [
    {
      key,
      value: name === 'c' ? toWord(given) : (call.invocation.env.get(given) ?? null),
      text: text.includes('=') ? text : `${text} ${showText(written)}`,
      index,
    },
  ];
}

/** Git's configuration as one command sees it: the checkout's, and on top what the command line carries. */
export function configOf(call: GitCall, repo: Repo | undefined): GitConfig {
  const settings = carriedSettings(call);
  const carried = settings.flatMap(({ key, value }) => (typeof value === 'string' ? [{ key, value }] : []));
  const base = repo?.config;
  if (settings.length === 0 && base) return base;
  const getAll = (key: string): readonly string[] => {
    const wanted = canonicalKey(key) ?? key;
    return [
      ...(base?.getAll(wanted) ?? []),
      ...carried.filter((entry) => entry.key === wanted).map(({ value }) => value),
    ];
  };
  return {
    getAll,
    get: (key) => getAll(key).at(-1),
    isUnknown: (key) => {
      const own = settings.findLast((entry) => entry.key === (canonicalKey(key) ?? key));
      return own ? typeof own.value !== 'string' : (base?.isUnknown(key) ?? false);
    },
    subsections: (section) => {
      const prefix = `${section}.`;
      const names = carried.flatMap(({ key }) => {
        const last = key.lastIndexOf('.');
        return key.startsWith(prefix) && last >= prefix.length ? [key.slice(prefix.length, last)] : [];
      });
      return [...new Set([...(base?.subsections(section) ?? []), ...names])];
    },
  };
}

/** Whether a key names another file to read settings from. */
export const isInclude = (key: string): boolean => key === 'include.path' || /^includeif\..*\.path$/s.test(key);

export const isSet = (config: GitConfig, key: string): boolean => isTrue(config.get(key));
