import { hasOption, type OptionGrammar, optionValue, scanOptions, splitAssignment, splitQuoted } from './options.ts';
import { hole, isKnown, quoteText, type Text } from './text.ts';
import { mostItems, xargsCalls } from './xargs.ts';

/** What a wrapper starts. */
export interface Unwrapped {
  /** The words of the program; empty when it starts a {@link script} instead. */
  readonly words: readonly Text[];
  /** A script that it hands to a shell. */
  readonly script?: Text;
  /** `$1`, … of the script. */
  readonly args?: readonly Text[];
  /** How many of the wrapper's words stand before the program: they become the text of `via`. */
  readonly at: number;
  /** What it sets (`undefined`: unsets) in the environment. */
  readonly env?: readonly (readonly [name: string, value: Text | undefined])[];
  /** It starts from an empty environment. */
  readonly clearsEnv?: boolean;
  /** The folder it changes to; a {@link hole} if that is unknown. */
  readonly folder?: Text;
  /** On another host or in a container. */
  readonly elsewhere?: boolean;
  /** What the program reads on stdin is not what the wrapper was given. */
  readonly takesStdin?: boolean;
}

interface WrapperInput {
  /** What the wrapper is fed, where that is known. */
  readonly stdin: Text | undefined;
}

/** Finds what a wrapper starts. Empty: nothing (`sudo -l`), so it is a program call like any other. */
export interface Wrapper {
  unwrap(words: readonly Text[], input: WrapperInput): readonly Unwrapped[];
  /** The wrapper is a program call of its own besides what it starts: `find`, `ssh`, `docker run`. */
  readonly isCall?: true;
}

/** A wrapper with options, then `operands` words of its own, then the program. */
const plain = (grammar: OptionGrammar = {}, operands = 0): Wrapper => ({
  unwrap(words) {
    const { at } = scanOptions(words, 1, grammar);
    return startFrom(words, at + operands);
  },
});

/** The program from an index on, after assignments if the wrapper takes such. */
function startFrom(words: readonly Text[], from: number, more: Partial<Unwrapped> = {}): readonly Unwrapped[] {
  return from < words.length ? [{ words: words.slice(from), at: from, ...more }] : [];
}

function takeAssignments(words: readonly Text[], from: number) {
  const env: (readonly [string, Text])[] = [];
  let at = from;
  for (; at < words.length; at += 1) {
    const assignment = splitAssignment(words[at] ?? '');
    if (!assignment) break;
    env.push(assignment);
  }
  return { env, at };
}

/** Words that a program joins with blanks and hands to a shell. */
const joinScript = (words: readonly Text[], from: number, more: Partial<Unwrapped> = {}): readonly Unwrapped[] =>
  from < words.length ? [{ words: [], script: words.slice(from).join(' '), at: from, ...more }] : [];

const sudo: Wrapper = {
  unwrap(words) {
    const scanned = scanOptions(words, 1, {
      short: 'CghpRrTtUuD',
      long: [
        'close-from',
        'group',
        'host',
        'prompt',
        'chroot',
        'role',
        'command-timeout',
        'type',
        'other-user',
        'user',
        'chdir',
      ],
    });
    if (hasOption(scanned, 'e', 'edit', 'l', 'list', 'v', 'validate', 'K', 'remove-timestamp')) return [];
    const { env, at } = takeAssignments(words, scanned.at);
    const folder = optionValue(scanned, 'D', 'chdir') ?? (hasOption(scanned, 'i', 'login') ? hole : undefined);
    return startFrom(words, at, folder === undefined ? { env } : { env, folder });
  },
};

const env: Wrapper = {
  unwrap(words) {
    const grammar = { short: 'uCSP', long: ['unset', 'chdir', 'split-string', 'argv0'] };
    const scanned = scanOptions(words, 1, grammar);
    const split = optionValue(scanned, 'S', 'split-string');
    if (split !== undefined) {
      const inner = ['env', ...splitQuoted(split), ...words.slice(scanned.at)];
      const before = scanned.options.flatMap(({ name, value }) =>
        name === 'u' && value !== undefined ? [[value, undefined] as const] : [],
      );
      return env.unwrap(inner, { stdin: undefined }).map((found) => ({
        ...found,
        at: Math.max(
          1,
          words.findIndex((word) => word === split || word.endsWith(split)),
        ),
        env: [...before, ...(found.env ?? [])],
        clearsEnv: found.clearsEnv || hasOption(scanned, 'i', 'ignore-environment'),
      }));
    }
    const dash = words[scanned.at] === '-';
    const unset = scanned.options.flatMap(({ name, value }) =>
      (name === 'u' || name === 'unset') && value !== undefined ? [[value, undefined] as const] : [],
    );
    const taken = takeAssignments(words, scanned.at + (dash ? 1 : 0));
    const folder = optionValue(scanned, 'C', 'chdir');
    return startFrom(words, taken.at, {
      env: [...unset, ...taken.env],
      clearsEnv: dash || hasOption(scanned, 'i', 'ignore-environment'),
      ...(folder === undefined ? {} : { folder }),
    });
  },
};

const command: Wrapper = {
  unwrap(words) {
    const scanned = scanOptions(words, 1, {});
    return hasOption(scanned, 'v', 'V') ? [] : startFrom(words, scanned.at);
  },
};

/** `su` and `runuser`: a script after `-c`, else a shell for a person. */
const su: Wrapper = {
  unwrap(words) {
    const grammar = {
      short: 'csgGwu',
      long: ['command', 'session-command', 'shell', 'group', 'supp-group', 'whitelist-environment', 'user'],
    };
    let text: Text | undefined;
    let isLogin = false;
    for (let at = 1; at < words.length; ) {
      const scanned = scanOptions(words, at, grammar);
      text = optionValue(scanned, 'c', 'command', 'session-command') ?? text;
      isLogin ||= hasOption(scanned, 'l', 'login') || words[scanned.at] === '-';
      // runuser alone takes the user as an option, and then a program.
      if (hasOption(scanned, 'u', 'user') && text === undefined) return startFrom(words, scanned.at);
      at = scanned.at + 1;
    }
    if (text === undefined) return [];
    return [{ words: [], script: text, at: 1, ...(isLogin ? { folder: hole } : {}) }];
  },
};

const xargs: Wrapper = {
  unwrap(words, { stdin }) {
    const { at, calls } = xargsCalls(words, stdin);
    return calls.map((call) => ({ words: call, at, takesStdin: true }));
  },
};

const parallel: Wrapper = {
  unwrap(words) {
    const scanned = scanOptions(words, 1, {
      short: 'jaCdDEILNnPsSTU',
      long: [
        'jobs',
        'arg-file',
        'colsep',
        'delimiter',
        'max-args',
        'max-procs',
        'sshlogin',
        'joblog',
        'results',
        'timeout',
        'delay',
        'retries',
        'load',
        'memfree',
        'tmpdir',
        'workdir',
        'wd',
        'halt',
        'tagstring',
        'basefile',
        'env',
        'return',
      ],
    });
    const separator = words.findIndex((word, index) => index >= scanned.at && /^:::[:+]*$/.test(word));
    const end = separator < 0 ? words.length : separator;
    const program = words.slice(scanned.at, end);
    const items = separator < 0 ? [hole] : words.slice(separator + 1).filter((word) => !word.startsWith(':::'));
    const at = scanned.at;
    if (program.length === 0)
      return items.slice(0, mostItems).map((script) => ({ words: [], script, at, takesStdin: true }));
    const template = program.join(' ');
    const marked = template.includes('{}') ? template : `${template} {}`;
    const shown = items.length <= mostItems ? items : [hole];
    return shown.map((item) => ({
      words: [],
      script: marked.replaceAll('{}', () => quoteText(item)),
      at,
      takesStdin: true,
    }));
  },
};

/** `-exec program … ;` or `+`, with `{}` for a path that only the run knows. */
const find: Wrapper = {
  isCall: true,
  unwrap(words) {
    const found: Unwrapped[] = [];
    for (let index = 1; index < words.length; index += 1) {
      const action = words[index] ?? '';
      if (!/^-(exec|execdir|ok|okdir)$/.test(action)) continue;
      let end = index + 1;
      while (end < words.length && !(words[end] === ';' || (words[end] === '+' && words[end - 1] === '{}'))) end += 1;
      const program = words.slice(index + 1, end).map((word) => word.replaceAll('{}', hole));
      if (program.length > 0) {
        found.push({ words: program, at: 0, ...(action.endsWith('dir') ? { folder: hole } : {}) });
      }
      index += program.length;
    }
    return found.map((inner) => ({ ...inner, at: 1 }));
  },
};

/** `fd -x program …`, up to `;`. */
const fd: Wrapper = {
  isCall: true,
  unwrap(words) {
    const start = words.findIndex((word) => /^(-x|-X|--exec|--exec-batch)$/.test(word));
    if (start < 0) return [];
    const end = words.findIndex((word, index) => index > start && word === ';');
    const program = words.slice(start + 1, end < 0 ? words.length : end);
    const marked = program.map((word) => word.replaceAll(/\{(\/|\/\/|\.|\/\.)?\}/g, hole));
    return program.length === 0
      ? []
      : [{ words: marked.some((word) => !isKnown(word)) ? marked : [...marked, hole], at: 1 }];
  },
};

const watch: Wrapper = {
  unwrap(words) {
    const scanned = scanOptions(words, 1, { short: 'nq', attached: 'd', long: ['interval', 'equexit'] });
    return hasOption(scanned, 'x', 'exec') ? startFrom(words, scanned.at) : joinScript(words, scanned.at);
  },
};

/** util-linux takes the script after `-c`; BSD's takes the program after the file. */
const script: Wrapper = {
  unwrap(words) {
    const scanned = scanOptions(words, 1, {
      short: 'cEIOBTmot',
      long: ['command', 'echo', 'log-in', 'log-out', 'log-io', 'log-timing', 'logging-format', 'output-limit'],
    });
    const given = optionValue(scanned, 'c', 'command');
    if (given !== undefined) return [{ words: [], script: given, at: 1 }];
    const late = words.findIndex((word, index) => index > scanned.at && /^-[a-z]*c$/.test(word));
    const text = late < 0 ? undefined : words[late + 1];
    return text === undefined ? startFrom(words, scanned.at + 1) : [{ words: [], script: text, at: 1 }];
  },
};

const flock: Wrapper = {
  unwrap(words) {
    const grammar = { short: 'wEc', long: ['wait', 'timeout', 'conflict-exit-code', 'command'] };
    const file = scanOptions(words, 1, grammar);
    const rest = scanOptions(words, file.at + 1, { short: 'c', long: ['command'] });
    const given = optionValue(rest, 'c', 'command') ?? optionValue(file, 'c', 'command');
    if (given !== undefined) return [{ words: [], script: given, at: 1 }];
    return startFrom(words, rest.at);
  },
};

const ssh: Wrapper = {
  isCall: true,
  unwrap(words) {
    const grammar = { short: 'BbcDEeFIiJLlmOopQRSWw' };
    const host = scanOptions(words, 1, grammar);
    const rest = scanOptions(words, host.at + 1, grammar);
    return joinScript(words, rest.at, { elsewhere: true, folder: hole, clearsEnv: true });
  },
};

const containerValues: OptionGrammar = {
  short: 'aceHhlmPpuvwEfn',
  long: [
    'add-host',
    'annotation',
    'blkio-weight',
    'cap-add',
    'cap-drop',
    'cgroup-parent',
    'cidfile',
    'context',
    'cpu-period',
    'cpu-quota',
    'cpu-shares',
    'cpus',
    'cpuset-cpus',
    'detach-keys',
    'device',
    'dns',
    'entrypoint',
    'env',
    'env-file',
    'expose',
    'file',
    'gpus',
    'group-add',
    'health-cmd',
    'host',
    'hostname',
    'index',
    'ip',
    'ipc',
    'label',
    'link',
    'log-driver',
    'log-opt',
    'mac-address',
    'memory',
    'mount',
    'name',
    'namespace',
    'network',
    'network-alias',
    'pid',
    'pids-limit',
    'platform',
    'profile',
    'project-directory',
    'project-name',
    'publish',
    'pull',
    'restart',
    'runtime',
    'security-opt',
    'shm-size',
    'stop-signal',
    'sysctl',
    'tmpfs',
    'ulimit',
    'user',
    'userns',
    'volume',
    'volumes-from',
    'workdir',
  ],
};

/** `docker run IMAGE program …`, `docker exec CONTAINER program …`, `docker compose run|exec SERVICE program …`. */
const container: Wrapper = {
  isCall: true,
  unwrap(words) {
    let sub = scanOptions(words, 1, { short: 'cHl', long: ['config', 'context', 'host', 'log-level'] }).at;
    if (words[sub] === 'compose' || words[sub] === 'container')
      sub = scanOptions(words, sub + 1, { short: 'fp', long: containerValues.long ?? [] }).at;
    if (words[sub] !== 'run' && words[sub] !== 'exec') return [];
    const scanned = scanOptions(words, sub + 1, containerValues);
    const entry = optionValue(scanned, 'entrypoint');
    const rest = words.slice(scanned.at + 1);
    const program = entry === undefined || entry === '' ? rest : [entry, ...rest];
    if (program.length === 0) return [];
    return [{ words: program, at: scanned.at + 1, elsewhere: true, folder: hole, clearsEnv: true }];
  },
};

/** Standing alone for docker-compose, whose options and subcommands are those of `docker compose`. */
const compose: Wrapper = {
  isCall: true,
  unwrap: (words) =>
    container
      .unwrap(['docker', 'compose', ...words.slice(1)], { stdin: undefined })
      .map((found) => ({ ...found, at: found.at - 1 })),
};

/** `kubectl exec pod -- program …`. */
const kubectl: Wrapper = {
  isCall: true,
  unwrap(words) {
    const dashes = words.indexOf('--');
    if (dashes < 0 || !words.slice(1, dashes).some((word) => /^(exec|run|rsh|debug)$/.test(word))) return [];
    return startFrom(words, dashes + 1, { elsewhere: true, folder: hole, clearsEnv: true });
  },
};

/** A wrapper whose program follows a subcommand: `direnv exec DIR program`, `bundle exec program`. */
const sub = (names: readonly string[], grammar: OptionGrammar, operands = 0): Wrapper => ({
  unwrap(words) {
    const name = scanOptions(words, 1, grammar);
    if (!names.includes(words[name.at] ?? '')) return [];
    return startFrom(words, scanOptions(words, name.at + 1, grammar).at + operands);
  },
});

/** The same where the program stands after `--` whatever comes before it: `mise exec node@22 -- program`. */
const subDashes = (names: readonly string[]): Wrapper => ({
  unwrap(words) {
    const dashes = words.indexOf('--');
    const name = words.slice(1, Math.max(dashes, 0)).find((word) => !word.startsWith('-'));
    return name !== undefined && names.includes(name) ? startFrom(words, dashes + 1) : [];
  },
});

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
    return startFrom(words, words[first.at] === 'run' ? scanOptions(words, first.at + 1, grammar).at : first.at);
  },
};

const nixShell: Wrapper = {
  unwrap(words) {
    const at = words.findIndex((word) => word === '--run' || word === '--command');
    const text = at < 0 ? undefined : words[at + 1];
    return text === undefined ? [] : [{ words: [], script: text, at: at + 1 }];
  },
};

const nix: Wrapper = {
  unwrap(words) {
    if (!/^(develop|shell)$/.test(words[1] ?? '')) return [];
    const at = words.findIndex((word) => /^(-c|--command)$/.test(word));
    return at < 0 ? [] : startFrom(words, at + 1);
  },
};

/** Each argument is a command line. */
const concurrently: Wrapper = {
  unwrap(words) {
    const scanned = scanOptions(words, 1, {
      short: 'nlcptm',
      long: [
        'names',
        'prefix',
        'prefix-colors',
        'prefix-length',
        'timestamp-format',
        'success',
        'restart-tries',
        'restart-after',
        'max-processes',
        'kill-signal',
        'default-input-target',
      ],
    });
    return words.slice(scanned.at).flatMap((text) => {
      if (text.startsWith('-')) return [];
      const named = /^(npm|yarn|pnpm|bun|node|deno):(.+)$/.exec(text);
      return [
        {
          words: [],
          script: named ? `${named[1]} ${named[1] === 'node' ? '--run' : 'run'} ${named[2]}` : text,
          at: scanned.at,
        },
      ];
    });
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

/** `nodemon --exec "command line"`. */
const nodemon: Wrapper = {
  isCall: true,
  unwrap(words) {
    const at = words.findIndex((word) => word === '--exec' || word === '-x');
    const text = at < 0 ? undefined : words[at + 1];
    return text === undefined ? [] : [{ words: [], script: text, at: at + 1 }];
  },
};

/**
 * Programs that start another program with its own words. To add one: a row here, with the grammar of its own options, so
 * that the program's word is found whatever stands before it. Sources: the manual pages of sudo 1.9, coreutils 9,
 * util-linux 2.39, findutils 4.9, OpenSSH 9, and each tool's own help.
 */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map(
  Object.entries({
    sudo,
    doas: plain({ short: 'aCu' }),
    pkexec: plain({ long: ['user'] }),
    su,
    runuser: su,
    gosu: plain({}, 1),
    'su-exec': plain({}, 1),
    env,
    command,
    builtin: plain(),
    exec: plain({ short: 'a' }),
    noglob: plain(),
    nocorrect: plain(),
    nohup: plain(),
    setsid: plain(),
    time: plain({ short: 'fo', long: ['format', 'output'] }),
    gtime: plain({ short: 'fo', long: ['format', 'output'] }),
    timeout: plain({ short: 'ks', long: ['kill-after', 'signal'] }, 1),
    gtimeout: plain({ short: 'ks', long: ['kill-after', 'signal'] }, 1),
    nice: plain({ short: 'n', long: ['adjustment'] }),
    ionice: plain({ short: 'cnpPu', long: ['class', 'classdata', 'pid', 'pgid', 'uid'] }),
    chrt: plain({ short: 'TPD' }, 1),
    taskset: plain({}, 1),
    stdbuf: plain({ short: 'ioe', long: ['input', 'output', 'error'] }),
    unbuffer: plain(),
    setarch: plain({}, 1),
    arch: plain({ singleDash: true, long: ['arch'] }),
    chroot: plain({ long: ['groups', 'userspec'] }, 1),
    caffeinate: plain({ short: 'tw' }),
    chronic: plain(),
    catchsegv: plain(),
    rlwrap: plain(),
    winpty: plain(),
    busybox: plain(),
    toybox: plain(),
    tini: plain({ short: 'ep' }),
    'dumb-init': plain({ short: 'r', long: ['rewrite'] }),
    strace: plain({ short: 'abeIoOpPsSuE' }),
    ltrace: plain({ short: 'aeluonpsS' }),
    valgrind: plain(),
    'xvfb-run': plain({
      short: 'efnpsw',
      long: ['error-file', 'auth-file', 'server-num', 'xauth-protocol', 'server-args', 'wait'],
    }),
    'dbus-run-session': plain({ long: ['config-file', 'dbus-daemon'] }),
    faketime: plain({}, 1),
    torsocks: plain(),
    proxychains4: plain({ short: 'f' }),
    flock,
    xargs,
    gxargs: xargs,
    parallel,
    find,
    gfind: find,
    fd,
    fdfind: fd,
    watch,
    entr,
    script,
    ssh,
    docker: container,
    podman: container,
    nerdctl: container,
    'docker-compose': compose,
    'podman-compose': compose,
    kubectl,
    oc: kubectl,
    direnv: sub(['exec'], {}, 1),
    mise: subDashes(['exec', 'x']),
    rtx: subDashes(['exec', 'x']),
    asdf: sub(['exec'], {}),
    rbenv: sub(['exec'], {}),
    pyenv: sub(['exec'], {}),
    nodenv: sub(['exec'], {}),
    nvm: sub(['exec'], {}, 1),
    fnm: sub(['exec'], { long: ['using'] }),
    volta: sub(['run'], { long: ['node', 'npm', 'pnpm', 'yarn', 'env'] }),
    bundle: sub(['exec'], {}),
    doppler: sub(['run'], { short: 'pct', long: ['project', 'config', 'token', 'scope'] }),
    op: sub(['run'], { long: ['env-file', 'account'] }),
    infisical: sub(['run'], { long: ['env', 'path', 'projectId', 'token', 'domain'] }),
    'aws-vault': sub(['exec'], { short: 'd', long: ['duration', 'region'] }, 1),
    devbox: sub(['run'], { short: 'ce', long: ['config', 'env'] }),
    'nix-shell': nixShell,
    nix,
    dotenv,
    dotenvx: sub(['run'], { short: 'fe', long: ['env-file', 'env'] }),
    'env-cmd': plain({ short: 'fre', long: ['file', 'rc-file', 'environments'] }),
    'cross-env': crossEnv,
    'cross-env-shell': crossEnvShell,
    concurrently,
    nodemon,
  } satisfies Record<string, Wrapper>),
);

/** Shells that take a script after `-c` in bash's grammar, near enough. */
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'rbash', 'zsh', 'dash', 'ash', 'ksh', 'mksh', 'fish']);

export const isShell = (program: string): boolean => shells.has(program);

export interface ShellCall {
  /** The script after `-c`; `undefined` where it comes from a file or from stdin. */
  readonly script: Text | undefined;
  /** It reads its script from stdin. */
  readonly readsStdin: boolean;
  /** `$0`, if it is given. */
  readonly zero?: Text | undefined;
  /** `$1`, … */
  readonly args: readonly Text[];
  /** How many words stand before the script. */
  readonly at: number;
}

/** Reads `bash -lc 'script' name arg …`, `sh -s arg …`, `bash -euxo pipefail -c …`. */
export function readShellCall(words: readonly Text[]): ShellCall {
  let at = 1;
  let takesScript = false;
  let readsStdin = false;
  while (at < words.length) {
    const word = words[at] ?? '';
    if (word === '--' || word === '-') {
      at += 1;
      break;
    }
    if (word.startsWith('--')) {
      const name = word.slice(2);
      if (name === 'command') takesScript = true;
      at += name === 'rcfile' || name === 'init-file' || name === 'init-command' ? 2 : 1;
      continue;
    }
    if (!/^[-+]\w/.test(word)) break;
    at += 1;
    for (const letter of word.slice(1)) {
      if (letter === 'c' && word.startsWith('-')) takesScript = true;
      else if (letter === 's' && word.startsWith('-')) readsStdin = true;
      else if (letter === 'o' || letter === 'O') at += 1;
    }
  }
  if (takesScript) return { script: words[at], readsStdin: false, zero: words[at + 1], args: words.slice(at + 2), at };
  const isStdin = readsStdin || at >= words.length || words[at] === '/dev/stdin';
  return { script: undefined, readsStdin: isStdin, args: words.slice(readsStdin ? at : at + 1), at };
}
