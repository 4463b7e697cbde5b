import { elsewhereWrappers } from './elsewhere.ts';
import { isKnownButLists } from './file-lists.ts';
import { hasOption, optionValue, scanOptions, splitQuoted } from './options.ts';
import { isShell } from './shell-call.ts';
import { terminalWrappers } from './terminals.ts';
import { hole, isKnown, quoteText, type Text } from './text.ts';
import { toolWrappers } from './tool-wrappers.ts';
import {
  foreignScript,
  joinScript,
  plain,
  startFrom,
  sub,
  takeAssignments,
  type Unwrapped,
  type Wrapper,
} from './wrapper.ts';
import { mostItems, xargsCalls } from './xargs.ts';

/** What a shell that is started without a program is fed: `sudo -s <<E`, `su - me <<E`. */
const fedScript = (
  stdin: Text | undefined,
  words: readonly Text[],
  more: Partial<Unwrapped> = {},
): readonly Unwrapped[] =>
  stdin === undefined || stdin === hole
    ? []
    : [{ words: [], script: stdin, at: words.length, takesStdin: true, ...more }];

const sudo: Wrapper = {
  unwrap(words, { stdin }) {
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
    const more = folder === undefined ? { env } : { env, folder };
    const isShellAlone = at >= words.length && hasOption(scanned, 's', 'shell', 'i', 'login');
    return isShellAlone ? fedScript(stdin, words, more) : startFrom(words, at, more);
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
  unwrap(words, { stdin }) {
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
    const more = isLogin ? { folder: hole } : {};
    return text === undefined ? fedScript(stdin, words, more) : [{ words: [], script: text, at: 1, ...more }];
  },
};

const xargs: Wrapper = {
  unwrap(words, { stdin }) {
    const { at, calls } = xargsCalls(words, stdin);
    return calls.map((call) => ({ words: call, at, takesStdin: true }));
  },
};

/** GNU parallel: a program with one item at a time, or items that are scripts themselves. */
const parallel: Wrapper = {
  unwrap(words, { stdin }) {
    const scanned = scanOptions(words, 1, {
      short: 'jaCdDEILNnPsSTU',
      long: [
        ...['jobs', 'arg-file', 'colsep', 'delimiter', 'max-args', 'max-procs', 'sshlogin', 'joblog', 'results'],
        ...['timeout', 'delay', 'retries', 'load', 'memfree', 'tmpdir', 'workdir', 'wd', 'halt', 'tagstring'],
        ...['basefile', 'env', 'return', 'block'],
      ],
    });
    const { at } = scanned;
    if (programIs(words, 'sem')) return joinScript(words, at);
    if (hasOption(scanned, 'pipe', 'pipepart')) return joinScript(words, at, { takesStdin: true });
    const separator = words.findIndex((word, index) => index >= at && /^:::[:+]*$/.test(word));
    const end = separator < 0 ? words.length : separator;
    const program = words.slice(at, end);
    const isRead =
      stdin !== undefined && isKnownButLists(stdin) && !hasOption(scanned, 'a', 'arg-file', '0', 'null', 'd');
    const lines = isRead ? stdin.split('\n').filter((line) => line !== '') : [hole];
    const items = separator < 0 ? lines : words.slice(separator + 1).filter((word) => !word.startsWith(':::'));
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

const programIs = (words: readonly Text[], name: string): boolean => (words[0] ?? '').split('/').at(-1) === name;

/** `-exec program … ;` or `+`, with `{}` for a path that only the run knows. */
const find: Wrapper = {
  isCall: true,
  unwrap(words, input) {
    const found: Unwrapped[] = [];
    for (let index = 1; index < words.length; index += 1) {
      const action = words[index] ?? '';
      if (!/^-(exec|execdir|ok|okdir)$/.test(action)) continue;
      let end = index + 1;
      while (end < words.length && !(words[end] === ';' || (words[end] === '+' && words[end - 1] === '{}'))) end += 1;
      // What it does to a file by itself is worked out from its own call.
      const [name = ''] = words.slice(index + 1, end);
      const file = isShell(name.slice(name.lastIndexOf('/') + 1)) ? (input.found?.() ?? hole) : hole;
      const program = words.slice(index + 1, end).map((word) => word.replaceAll('{}', () => file));
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
  unwrap(words, input) {
    const start = words.findIndex((word) => /^(-x|-X|--exec|--exec-batch)$/.test(word));
    if (start < 0) return [];
    const end = words.findIndex((word, index) => index > start && word === ';');
    const program = words.slice(start + 1, end < 0 ? words.length : end);
    const file = input.found?.() ?? hole;
    const marked = program.map((word) =>
      word.replaceAll('{}', () => file).replaceAll(/\{(?:\/|\/\/|\.|\/\.)\}/g, hole),
    );
    return program.length === 0
      ? []
      : [{ words: marked.some((word) => !isKnown(word)) ? marked : [...marked, file], at: 1 }];
  },
};

/** How many words behind an option of bwrap are its values. Source: bwrap(1), version 0.9. */
const bwrapValues: readonly ReadonlySet<string>[] = [
  'proc dev tmpfs mqueue dir unsetenv chdir uid gid hostname lock-file sync-fd seccomp cap-add cap-drop args userns remount-ro perms size argv0',
  'bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try bind-fd ro-bind-fd bind-data ro-bind-data file symlink setenv chmod',
].map((names) => new Set(names.split(' ')));

const bwrap: Wrapper = {
  unwrap(words) {
    let at = 1;
    while (words[at]?.startsWith('--')) {
      const name = words[at]?.slice(2) ?? '';
      at += 1;
      if (name === '') break;
      at += bwrapValues.findIndex((names) => names.has(name)) + 1;
    }
    return startFrom(words, at);
  },
};

/** `gdb -ex run --args program …`. */
const debugged: Wrapper = {
  unwrap(words) {
    const at = words.findIndex((word) => word === '--args' || word === '--') + 1;
    return at === 0 ? [] : startFrom(words, at);
  },
};

/** `start-stop-daemon --start --exec /usr/bin/git -- push`. */
const startStop: Wrapper = {
  unwrap(words) {
    const at = words.findIndex((word) => /^(?:-x|-a|--exec|--startas)$/.test(word)) + 1;
    const program = at === 0 ? undefined : words[at];
    const dashes = words.indexOf('--');
    if (program === undefined || !words.some((word) => word === '-S' || word === '--start')) return [];
    return [
      { words: [program, ...(dashes < 0 ? [] : words.slice(dashes + 1))], at: dashes < 0 ? words.length : dashes },
    ];
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

// --- Other shells, read only where their script could be one for bash too.

/** `cmd /c program …`; in Git Bash the slash is doubled. */
const cmd: Wrapper = {
  unwrap(words) {
    const at = words.findIndex((word) => /^\/{1,2}[ck]$/i.test(word));
    return at < 0 || at + 1 >= words.length ? [] : foreignScript(words.slice(at + 1).join(' '), at + 1);
  },
};

/** `pwsh -NoProfile -Command "…"`. Source: about_Pwsh of PowerShell 7. */
const powershell: Wrapper = {
  unwrap(words) {
    const at = words.findIndex((word) => /^[-/](c|command)$/i.test(word));
    const text = words
      .slice(at + 1)
      .join(' ')
      .trim();
    if (at < 0 || text === '' || text === '-') return [];
    return foreignScript(text.replace(/^\{(.*)\}$/s, '$1'), at + 1);
  },
};

/** `nu -c '…'`, `xonsh -c '…'`. */
const otherShell: Wrapper = {
  unwrap(words) {
    const at = words.findIndex((word) => word === '-c' || word === '--commands') + 1;
    const text = at === 0 ? undefined : words[at];
    return text === undefined ? [] : foreignScript(text, at);
  },
};

/** `wsl program …` starts it on this machine, in this folder. */
const wsl: Wrapper = {
  unwrap(words) {
    const scanned = scanOptions(words, 1, { short: 'du', long: ['distribution', 'user', 'cd', 'shell-type'] });
    const folder = optionValue(scanned, 'cd');
    const more = folder === undefined ? {} : { folder };
    if (hasOption(scanned, 'l', 'list', 't', 'terminate', 'shutdown', 'status', 'update', 'install')) return [];
    return hasOption(scanned, 'e', 'exec') || words[scanned.at - 1] === '--'
      ? startFrom(words, scanned.at, more)
      : joinScript(words, scanned.at, more);
  },
};

/**
 * Programs that start another program with its own words. To add one: a row here or in one of the tables it takes in, with
 * the grammar of its own options, so that the program's word is found whatever stands before it. Sources: the manual pages
 * of sudo 1.9, coreutils 9, util-linux 2.39, findutils 4.9, moreutils 0.67, and each tool's own help.
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
    prlimit: plain({ attached: 'cdefilmnpqrstuvxy' }),
    cpulimit: plain({ short: 'lpPe', long: ['limit', 'pid', 'path', 'exe'] }),
    stdbuf: plain({ short: 'ioe', long: ['input', 'output', 'error'] }),
    unbuffer: plain(),
    setarch: plain({}, 1),
    arch: plain({ singleDash: true, long: ['arch'] }),
    chroot: plain({ long: ['groups', 'userspec'] }, 1),
    unshare: plain({ short: 'RSGw', long: ['root', 'wd', 'setuid', 'setgid', 'map-user', 'map-group'] }),
    nsenter: plain({ short: 'tSG', attached: 'muinpCUTrw', long: ['target', 'setuid', 'setgid'] }),
    firejail: plain(),
    'flatpak-spawn': plain({ long: ['directory'] }),
    caffeinate: plain({ short: 'tw' }),
    'systemd-inhibit': plain({ long: ['what', 'who', 'why', 'mode'] }),
    chronic: plain(),
    catchsegv: plain(),
    rlwrap: plain(),
    winpty: plain(),
    busybox: plain(),
    shx: plain(),
    toybox: plain(),
    tini: plain({ short: 'ep' }),
    'dumb-init': plain({ short: 'r', long: ['rewrite'] }),
    daemonize: plain({ short: 'aceEolpu' }),
    tsp: plain({ short: 'LDNSgxa' }),
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
    'ssh-agent': plain({ short: 'aEOPt' }),
    sshpass: plain({ short: 'pfdP' }),
    fakeroot: plain({ short: 'lfsib', long: ['lib', 'faked', 'fd-base'] }),
    proxychains: plain({ short: 'f' }),
    perf: sub(['stat', 'record', 'trace'], {
      short: 'eorpCFctxID',
      long: ['event', 'output', 'repeat', 'cpu', 'freq'],
    }),
    gdb: debugged,
    lldb: debugged,
    bwrap,
    'start-stop-daemon': startStop,
    gsudo: plain({ short: 'ui', long: ['user', 'integrity', 'loglevel'] }),
    nu: otherShell,
    xonsh: otherShell,
    proxychains4: plain({ short: 'f' }),
    flock,
    xargs,
    gxargs: xargs,
    parallel,
    sem: parallel,
    find,
    gfind: find,
    fd,
    fdfind: fd,
    script,
    cmd,
    pwsh: powershell,
    powershell,
    wsl,
    ...elsewhereWrappers,
    ...toolWrappers,
    ...terminalWrappers,
  } satisfies Record<string, Wrapper>),
);
