import { hasOption, optionValue, type ScannedOptions, scanOptions } from './options.ts';
import { hole, isKnown, type Text } from './text.ts';
import { foreignScript, plain, startFrom, sub, type Unwrapped, type Wrapper } from './wrapper.ts';

// --- tmux. Source: tmux(1), version 3.5.

/** How a command of tmux takes a command line for a shell, and which of its options have a value. */
interface TmuxCommand {
  readonly names: readonly string[];
  readonly short: string;
  /** `pane`: the words after the options run in a pane; `shell`: the first of them is a script; `keys`: they are typed. */
  readonly kind: 'pane' | 'shell' | 'keys';
}

const tmuxCommands: readonly TmuxCommand[] = [
  { names: ['new-session', 'new'], short: 'cefFnstxy', kind: 'pane' },
  { names: ['new-window', 'neww'], short: 'ceFnt', kind: 'pane' },
  { names: ['split-window', 'splitw'], short: 'ceFlpt', kind: 'pane' },
  { names: ['respawn-pane', 'respawnp', 'respawn-window', 'respawnw'], short: 'cet', kind: 'pane' },
  { names: ['display-popup', 'popup'], short: 'bcdehsStTwxy', kind: 'pane' },
  { names: ['run-shell', 'run'], short: 'cdt', kind: 'shell' },
  { names: ['pipe-pane', 'pipep', 'if-shell', 'if'], short: 't', kind: 'shell' },
  { names: ['send-keys', 'send'], short: 'Nct', kind: 'keys' },
];

const tmux: Wrapper = {
  isCall: true,
  unwrap(words) {
    const found: Unwrapped[] = [];
    let { at } = scanOptions(words, 1, { short: 'cfLST' });
    while (at < words.length) {
      const separator = words.findIndex((word, index) => index >= at && word.endsWith(';') && !word.endsWith('\\;'));
      const end = separator < 0 ? words.length : separator;
      const last = separator < 0 ? '' : (words[separator] ?? '').slice(0, -1);
      found.push(...tmuxCommand([...words.slice(0, end), ...(last === '' ? [] : [last])], at));
      at = end + 1;
    }
    return found;
  },
};

function tmuxCommand(words: readonly Text[], from: number): readonly Unwrapped[] {
  const command = tmuxCommands.find(({ names }) => names.includes(words[from] ?? ''));
  if (!command) return [];
  const scanned = scanOptions(words, from + 1, { short: command.short });
  const { at } = scanned;
  const given = words.slice(at);
  const [first] = given;
  if (first === undefined) return [];
  if (command.kind === 'keys') {
    return hasOption(scanned, 'X', 'H') ? [] : typedLines(given, hasOption(scanned, 'l')).flatMap(typed(at));
  }
  const folder = optionValue(scanned, command.names.includes('popup') ? 'd' : 'c');
  const more = folder === undefined ? {} : { folder };
  if (command.kind === 'shell') return hasOption(scanned, 'C', 'F') ? [] : [{ words: [], script: first, at, ...more }];
  // One word is for a shell; several are started as they stand.
  return given.length === 1 ? [{ words: [], script: first, at, ...more }] : startFrom(words, at, more);
}

/** A line that is typed into a pane, in whose folder nobody knows, and for whatever runs there. */
const typed =
  (at: number) =>
  (line: Text): readonly Unwrapped[] =>
    foreignScript(line, at, { folder: hole });

/** The lines that keys make: `'npm i' Enter`. A line that another key than these changes is unknown. */
function typedLines(keys: readonly Text[], isLiteral: boolean): readonly Text[] {
  const lines: Text[] = [];
  let line: Text | undefined = '';
  for (const key of keys) {
    const name = isLiteral ? '' : key.toLowerCase();
    if (/^(enter|kpenter|c-m|c-j)$/.test(name)) {
      lines.push(line ?? '');
      line = '';
    } else if (/^(c-c|c-u)$/.test(name)) line = '';
    else if (name === 'space') line = line === undefined ? line : `${line} `;
    else if (
      /^([cms]-.+|up|down|left|right|home|end|tab|btab|bspace|escape|dc|ic|pageup|pagedown|ppage|npage|f\d+)$/.test(
        name,
      )
    )
      line = undefined;
    else line = line === undefined ? line : line + key;
  }
  return [...lines, line ?? ''].filter((text) => text.trim() !== '');
}

// --- GNU screen. Source: screen(1), version 4.9.

const screen: Wrapper = {
  isCall: true,
  unwrap(words) {
    const scanned = scanOptions(words, 1, { short: 'cehpsStT' });
    if (hasOption(scanned, 'X')) return screenCommand(words, scanned);
    if (hasOption(scanned, 'r', 'R', 'x', 'l', 'ls', 'list', 'wipe', 'v')) return [];
    return startFrom(words, scanned.at);
  },
};

/** `screen -S name -X stuff 'npm i\n'`. */
function screenCommand(words: readonly Text[], { at }: ScannedOptions): readonly Unwrapped[] {
  const text = words[at + 1];
  if (words[at] !== 'stuff' || text === undefined || !isKnown(text)) return [];
  const lines = text.split(/\n|\r|\\n|\\r|\^M|\\01[25]/);
  return lines.filter((line) => line.trim() !== '').flatMap(typed(at + 1));
}

/** `zellij run -- program`, `zellij action write-chars 'npm i'`. */
const zellij: Wrapper = {
  unwrap(words, input) {
    const text = words[1] === 'action' && words[2] === 'write-chars' ? words[3] : undefined;
    if (text !== undefined && isKnown(text))
      return text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .flatMap(typed(3));
    return zellijRun.unwrap(words, input);
  },
};
const zellijRun = sub(['run', 'r'], { short: 'dn', long: ['direction', 'name', 'cwd', 'height', 'width', 'x', 'y'] });

// --- Terminals with windows. Sources: the manual of each, in the version of 2025.

/** A terminal with an option behind which the program stands, in words or as one line: `xterm -T title -e program`. */
const window = (...options: readonly string[]): Wrapper => ({
  unwrap(words) {
    const at = words.findIndex((word, index) => index > 0 && options.includes(word)) + 1;
    if (at === 0) return [];
    const [line = '', ...others] = words.slice(at);
    return others.length === 0 && line.includes(' ') ? [{ words: [], script: line, at }] : startFrom(words, at);
  },
});

/** `kitty program`, `kitty @ launch --type=tab program`. */
const kitty: Wrapper = {
  unwrap(words) {
    const grammar = { short: 'coTd', long: ['config', 'override', 'title', 'directory', 'type', 'cwd', 'env', 'to'] };
    const { at } = scanOptions(words, 1, grammar);
    if (words[at] !== '@') return /^\+/.test(words[at] ?? '') ? [] : startFrom(words, at);
    return words[at + 1] === 'launch' ? startFrom(words, scanOptions(words, at + 2, grammar).at) : [];
  },
};

/** `osascript -e 'do shell script "git push"'`, and the same in Terminal with `do script`, in a folder nobody knows. */
const osascript: Wrapper = {
  isCall: true,
  unwrap: (words) =>
    words.flatMap((word, at) =>
      words[at - 1] === '-e'
        ? [...word.matchAll(/\bdo (shell )?script "((?:[^"\\]|\\.)*)"/g)].map(([, shell, text = '']) => ({
            words: [],
            script: text.replaceAll(/\\(.)/g, '$1'),
            at,
            ...(shell === undefined ? { folder: hole } : {}),
          }))
        : [],
    ),
};

// --- Programs that start a command for later, or keep it running.

/** `echo script | at now`. */
const at: Wrapper = {
  isCall: true,
  unwrap(words, { stdin }) {
    const scanned = scanOptions(words, 1, { short: 'fqt' });
    if (stdin === undefined || stdin === hole || hasOption(scanned, 'f', 'l', 'd', 'r', 'c')) return [];
    return [{ words: [], script: stdin, at: words.length, takesStdin: true }];
  },
};

const systemdRun: Wrapper = {
  unwrap(words) {
    const scanned = scanOptions(words, 1, {
      short: 'pupEMH',
      long: [
        ...['property', 'unit', 'description', 'slice', 'setenv', 'uid', 'gid', 'nice', 'working-directory', 'host'],
        ...['service-type', 'on-active', 'on-boot', 'on-startup', 'on-unit-active', 'on-calendar', 'machine'],
        ...['timer-property', 'path-property', 'socket-property', 'background'],
      ],
    });
    const folder = optionValue(scanned, 'working-directory');
    const elsewhere = hasOption(scanned, 'M', 'H', 'machine', 'host');
    return startFrom(words, scanned.at, { elsewhere, ...(folder === undefined ? {} : { folder }) });
  },
};

/** `pm2 start "npm run dev"`, `pm2 start npm -- run dev`; a file is a service's own. */
const pm2: Wrapper = {
  isCall: true,
  unwrap(words) {
    if (words[1] !== 'start') return [];
    const start = scanOptions(words, 2, { short: 'nilo', long: ['name', 'cwd', 'interpreter', 'instances', 'log'] });
    const target = words[start.at];
    if (target === undefined) return [];
    if (target.includes(' ')) return [{ words: [], script: target, at: start.at }];
    const dashes = words.indexOf('--', start.at);
    return [{ words: [target, ...(dashes < 0 ? [] : words.slice(dashes + 1))], at: start.at }];
  },
};

/** Programs that run a command in a terminal of its own, for later, or in the background. */
export const terminalWrappers = {
  tmux,
  byobu: tmux,
  screen,
  zellij,
  xterm: window('-e'),
  rxvt: window('-e'),
  urxvt: window('-e'),
  konsole: window('-e'),
  alacritty: window('-e', '--command'),
  ghostty: window('-e'),
  'gnome-terminal': window('--', '-x', '-e'),
  'mate-terminal': window('--', '-x', '-e'),
  'xfce4-terminal': window('-x', '-e', '--command'),
  'x-terminal-emulator': window('-e'),
  wezterm: window('--'),
  kitty,
  foot: plain({ short: 'cTatDWwL', long: ['config', 'title', 'app-id', 'term', 'working-directory'] }),
  osascript,
  dtach: plain({ short: 'aAcnNper' }),
  at,
  batch: at,
  'systemd-run': systemdRun,
  pm2,
} as const satisfies Readonly<Record<string, Wrapper>>;
