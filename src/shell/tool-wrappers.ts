import { hasOption, type OptionGrammar, optionValue, scanOptions, scanWords } from './options.ts';
import { hole, type Text } from './text.ts';
import {
  joinScript,
  plain,
  startFrom,
  sub,
  subDashes,
  takeAssignments,
  type Unwrapped,
  type Wrapper,
} from './wrapper.ts';

// --- Programs that set up an environment: variables, secrets, versions.

/** `cross-env A=b program`, whose assignments come first. */
const crossEnv: Wrapper = {
  unwrap(words) {
    const { env, at } = takeAssignments(words, 1);
    return startFrom(words, at, { env });
  },
};

const crossEnvShell: Wrapper = {
  unwrap(words) {
    const { env, at } = takeAssignments(words, 1);
    return joinScript(words, at, { env });
  },
};

/** dotenv-cli (`dotenv -e .env -- program`) and python-dotenv (`dotenv run program`). */
const dotenv: Wrapper = {
  unwrap(words) {
    const grammar = { short: 'epvcf', long: ['file'] };
    const first = scanOptions(words, 1, grammar);
    // Python's other subcommands, none of which is a program.
    if (['get', 'set', 'unset', 'list'].includes(words[first.at] ?? '') && words[first.at - 1] !== '--') return [];
    return startFrom(words, words[first.at] === 'run' ? scanOptions(words, first.at + 1, grammar).at : first.at);
  },
};

/** `doppler run -- program`, `doppler run --command "script"`. */
const doppler: Wrapper = {
  unwrap(words) {
    const grammar = { short: 'pct', long: ['project', 'config', 'token', 'scope', 'command', 'mount', 'fallback'] };
    const name = scanOptions(words, 1, grammar);
    if (words[name.at] !== 'run') return [];
    const scanned = scanOptions(words, name.at + 1, grammar);
    const given = optionValue(scanned, 'command');
    return given === undefined ? startFrom(words, scanned.at) : [{ words: [], script: given, at: name.at + 1 }];
  },
};

/** `sops exec-env FILE 'script'`. */
const sops: Wrapper = {
  unwrap(words) {
    const name = scanOptions(words, 1, {});
    const text = words[name.at + 2];
    return words[name.at] === 'exec-env' && text !== undefined ? [{ words: [], script: text, at: name.at + 2 }] : [];
  },
};

/** `mise exec node@22 -- program`, `mise x -c 'script'`. */
const mise: Wrapper = {
  unwrap(words) {
    const grammar = { short: 'cCj', long: ['command', 'cd', 'jobs'] };
    const name = scanOptions(words, 1, grammar);
    if (words[name.at] !== 'exec' && words[name.at] !== 'x') return [];
    const dashes = words.indexOf('--');
    if (dashes > 0) return startFrom(words, dashes + 1);
    const text = optionValue(scanWords(words, name.at + 1, grammar), 'c', 'command');
    return text === undefined ? [] : [{ words: [], script: text, at: name.at + 1 }];
  },
};

/** `nvm exec 20 program`; without a version it takes the one of `.nvmrc`. */
const nvm: Wrapper = {
  unwrap(words) {
    if (words[1] !== 'exec') return [];
    const { at } = scanOptions(words, 2, {});
    const isVersion = /^(v?\d[\d.]*|node|stable|default|system|iojs|lts\/.+)$/.test(words[at] ?? '');
    return startFrom(words, isVersion ? at + 1 : at);
  },
};

const nixShell: Wrapper = {
  unwrap(words) {
    const at = words.findIndex((word) => word === '--run' || word === '--command');
    const text = at < 0 ? undefined : words[at + 1];
    return text === undefined ? [] : [{ words: [], script: text, at: at + 1 }];
  },
};

/** `nix develop -c program`, `nix run nixpkgs#program -- arguments`. */
const nix: Wrapper = {
  unwrap(words) {
    if (/^(develop|shell)$/.test(words[1] ?? '')) {
      const at = words.findIndex((word) => /^(-c|--command)$/.test(word));
      return at < 0 ? [] : startFrom(words, at + 1);
    }
    if (words[1] !== 'run') return [];
    const { at } = scanOptions(words, 2, {});
    const name = /^[^#]+#(?:.*\.)?([\w-]+)$/.exec(words[at] ?? '')?.[1];
    const dashes = words.indexOf('--', at);
    return name === undefined
      ? []
      : [{ words: [name, ...words.slice(dashes < 0 ? words.length : dashes + 1)], at: at + 1 }];
  },
};

// --- Programs that run command lines side by side, again and again, or when a file changes.

/** Each argument is a command line; `npm:build` is short for `npm run build`. */
const concurrently: Wrapper = {
  unwrap(words) {
    const { words: lines } = scanWords(words, 1, {
      short: 'nlcptms',
      long: [
        ...['names', 'prefix', 'prefix-colors', 'prefix-length', 'timestamp-format', 'success', 'restart-tries'],
        ...['restart-after', 'max-processes', 'kill-signal', 'default-input-target', 'name-separator', 'hide'],
        ...['teardown', 'cwd'],
      ],
    });
    return lines.map((text) => {
      const named = /^(npm|yarn|pnpm|bun|node|deno):(.+)$/.exec(text);
      const run = { node: '--run', deno: 'task' }[named?.[1] ?? ''] ?? 'run';
      return { words: [], script: named ? `${named[1]} ${run} ${named[2]}` : text, at: 1 };
    });
  },
};

/** A program with an option whose value is a command line: `nodemon --exec "…"`, `tsup --onSuccess "…"`. */
const lineOption = (...names: readonly string[]): Wrapper => ({
  isCall: true,
  unwrap: (words) =>
    words.flatMap((word, at): readonly Unwrapped[] => {
      if (at === 0) return [];
      const equals = word.indexOf('=');
      if (equals > 0 && names.includes(word.slice(0, equals))) {
        return [{ words: [], script: word.slice(equals + 1), at }];
      }
      const text = names.includes(word) ? words[at + 1] : undefined;
      return text === undefined ? [] : [{ words: [], script: text, at: at + 1 }];
    }),
});

const watch: Wrapper = {
  unwrap(words) {
    const scanned = scanOptions(words, 1, { short: 'nq', attached: 'd', long: ['interval', 'equexit'] });
    return hasOption(scanned, 'x', 'exec') ? startFrom(words, scanned.at) : joinScript(words, scanned.at);
  },
};

const entr: Wrapper = {
  unwrap(words) {
    const scanned = scanOptions(words, 1, {});
    return hasOption(scanned, 's')
      ? joinScript(words, scanned.at, { takesStdin: true })
      : startFrom(words, scanned.at, { takesStdin: true });
  },
};

const watchexec: Wrapper = {
  unwrap(words) {
    const scanned = scanOptions(words, 1, {
      short: 'weifsdoEjWF',
      long: [
        ...['watch', 'watch-non-recursive', 'watch-file', 'exts', 'ignore', 'ignore-file', 'filter', 'filter-file'],
        ...['filter-prog', 'signal', 'stop-signal', 'stop-timeout', 'debounce', 'delay-run', 'poll', 'env', 'shell'],
        ...['on-busy-update', 'map-signal', 'workdir', 'project-origin', 'emit-events-to', 'fs-events', 'socket'],
        ...['timeout', 'color', 'wrap-process'],
      ],
    });
    return joinScript(words, scanned.at);
  },
};

/** `onchange 'src/**' -- program`. */
const onchange: Wrapper = {
  unwrap(words) {
    const dashes = words.indexOf('--');
    return dashes < 0 ? [] : startFrom(words, dashes + 1);
  },
};

/** Each word is a command line, and so is what is to run before and after them. */
const hyperfine: Wrapper = {
  isCall: true,
  unwrap(words) {
    const lines = ['p', 'prepare', 's', 'setup', 'c', 'cleanup', 'C', 'conclude'];
    const scanned = scanWords(words, 1, {
      short: 'wmMrpscCSuLDPn',
      long: [
        ...['warmup', 'min-runs', 'max-runs', 'runs', 'prepare', 'setup', 'cleanup', 'conclude', 'shell', 'sort'],
        ...['time-unit', 'style', 'parameter-list', 'parameter-scan', 'parameter-step-size', 'command-name', 'input'],
        ...['output', 'export-json', 'export-markdown', 'export-csv', 'export-asciidoc', 'export-orgmode', 'reference'],
      ],
    });
    const beside = scanned.options.flatMap(({ name, value }) =>
      lines.includes(name) && value !== undefined ? [value] : [],
    );
    return [...beside, ...scanned.words].map((script) => ({ words: [], script, at: 1 }));
  },
};

/** `retry -t 3 -- program`, and the like that take a number of times first. */
const retry: Wrapper = {
  unwrap(words) {
    let { at } = scanOptions(words, 1, { short: 'dtu', long: ['delay', 'times', 'until', 'attempts', 'max'] });
    while (/^\d+s?$/.test(words[at] ?? '')) at += 1;
    return startFrom(words, at);
  },
};

/** The command in every package of the repo, so in which folder is unknown. */
const everyPackage = (grammar: OptionGrammar): Wrapper => {
  const wrapper = sub(['exec'], grammar);
  return { unwrap: (words, input) => wrapper.unwrap(words, input).map((found) => ({ ...found, folder: hole })) };
};

/** `rtk program …` shortens what a program prints; `rtk proxy`, `rtk err` and `rtk test` say how. */
const rtk: Wrapper = {
  unwrap(words) {
    const { at } = scanOptions(words, 1, {});
    return startFrom(words, /^(proxy|err|test|summary)$/.test(words[at] ?? '') ? at + 1 : at);
  },
};

const cargo: Wrapper = {
  isCall: true,
  unwrap(words) {
    if (words[1] !== 'watch') return [];
    const scanned = scanWords(words, 2, {
      short: 'xswidE',
      long: ['exec', 'shell', 'watch', 'ignore', 'delay', 'env'],
    });
    const scripts = scanned.options.flatMap(({ name, value }): readonly Text[] => {
      if (value === undefined) return [];
      return name === 's' || name === 'shell' ? [value] : [];
    });
    return scripts.map((script) => ({ words: [], script, at: 2 }));
  },
};

/**
 * Programs of development that start another program or a command line. Sources: each tool's own help or manual, in the
 * version of 2026.
 */
export const toolWrappers = {
  direnv: sub(['exec'], {}, 1),
  mise,
  rtx: mise,
  asdf: sub(['exec'], {}),
  rbenv: sub(['exec'], {}),
  pyenv: sub(['exec'], {}),
  nodenv: sub(['exec'], {}),
  nvm,
  n: sub(['exec', 'run'], {}, 1),
  fnm: sub(['exec'], { long: ['using'] }),
  volta: sub(['run'], { long: ['node', 'npm', 'pnpm', 'yarn', 'env'] }),
  bundle: sub(['exec'], {}),
  doppler,
  op: sub(['run'], { long: ['env-file', 'account'] }),
  infisical: sub(['run'], { long: ['env', 'path', 'projectId', 'token', 'domain'] }),
  'aws-vault': sub(['exec'], { short: 'd', long: ['duration', 'region'] }, 1),
  'aws-okta': sub(['exec'], { short: 't', long: ['assume-role-ttl', 'session-ttl'] }, 1),
  saml2aws: sub(['exec'], { short: 'a', long: ['idp-account', 'exec-profile'] }),
  chamber: subDashes(['exec']),
  teller: sub(['run'], { short: 'c', long: ['config'] }),
  varlock: sub(['run'], { short: 'p', long: ['path'] }),
  railway: sub(['run'], { short: 'pse', long: ['project', 'service', 'environment'] }),
  envchain: plain({}, 1),
  'vault-env': plain(),
  sops,
  sst: sub(['shell'], { long: ['stage', 'target'] }),
  devbox: sub(['run'], { short: 'ce', long: ['config', 'env'] }),
  'nix-shell': nixShell,
  nix,
  dotenv,
  'dotenv-cli': dotenv,
  dotenvx: sub(['run'], { short: 'fe', long: ['env-file', 'env'] }),
  'dotenv-run': plain({ short: 'f', long: ['file'] }),
  'with-contenv': plain(),
  'env-cmd': plain({ short: 'fre', long: ['file', 'rc-file', 'environments'] }),
  'cross-env': crossEnv,
  'cross-env-shell': crossEnvShell,
  concurrently,
  conc: concurrently,
  nodemon: lineOption('--exec', '-x'),
  tsup: lineOption('--onSuccess'),
  'tsc-watch': lineOption('--onSuccess', '--onFirstSuccess', '--onFailure', '--onEmit', '--onCompilationComplete'),
  chokidar: lineOption('-c', '--command'),
  onchange,
  watch,
  entr,
  watchexec,
  hyperfine,
  retry,
  lerna: everyPackage({ long: ['scope', 'ignore', 'concurrency', 'since'] }),
  nx: everyPackage({}),
  rtk,
  cargo,
} as const satisfies Readonly<Record<string, Wrapper>>;
