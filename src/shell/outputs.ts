import type { Facts, Repo } from '../facts.ts';
import { canonicalKey } from '../git-settings.ts';
import { basename, dirname } from '../paths.ts';
import { filtered, headMark } from './filters.ts';
import { filePlace, folderFrom } from './folders.ts';
import { readGitFront } from './git-words.ts';
import type { Scope } from './scope.ts';
import { hole, isKnown, type Text } from './text.ts';

/** Where a command stands whose output is asked for. */
export interface OutputSetting {
  readonly facts: Facts;
  readonly scope: Scope;
  readonly cwd: string | null;
  readonly stdin: Text | undefined;
}

/**
 * What a program writes to stdout, where that can be told without running it: `echo`, `printf`, `cat`, `pwd`, and git's
 * and gh's questions for the branch, the remote's default branch, settings and folders. A {@link hole} for everything else.
 */
export function outputOf(program: string, words: readonly Text[], setting: OutputSetting): Text {
  switch (program) {
    case 'echo':
      return echo(words);
    case 'printf':
      return printf(words);
    case 'cat':
      return cat(words, setting);
    case 'tee':
      return setting.stdin ?? hole;
    case 'pwd':
      return words.length === 1 ? `${setting.cwd ?? hole}\n` : hole;
    case 'basename':
      return words.length === 2 && isKnown(words[1] ?? '')
        ? `${basename((words[1] ?? '').replace(/\/+$/, ''))}\n`
        : hole;
    case 'dirname':
      return words.length === 2 && isKnown(words[1] ?? '')
        ? `${dirname((words[1] ?? '').replace(/\/+$/, ''))}\n`
        : hole;
    case 'mktemp':
      return mktemp(words, setting.cwd);
    case 'git':
      return git(words, setting);
    case 'which':
    case 'command':
    case 'type':
      return whichProgram(words);
    case 'gh':
      return gh(words, setting);
    default:
      return silentPrograms.has(program) ? '' : (filtered(program, words, setting.stdin) ?? hole);
  }
}

const silentPrograms: ReadonlySet<string> = new Set([
  ':',
  'true',
  'false',
  'cd',
  'export',
  'test',
  '[',
  'mkdir',
  'touch',
  'rm',
  'cp',
  'mv',
  'ln',
  'chmod',
  'sleep',
  'set',
  'unset',
  'shift',
  'local',
  'read',
  'wait',
]);

/**
 * The name that `mktemp` makes is new each time, but the folder it lies in is known, and with it whether that is in a repo.
 * The template's `X`s stay as they are. Source: mktemp(1) of GNU coreutils 9 and of BSD (`-t PREFIX`).
 */
function mktemp(words: readonly Text[], cwd: string | null): Text {
  let folder: Text = '/tmp';
  let template: Text | undefined;
  const rest = words.slice(1).values();
  for (const word of rest) {
    if (word === '-p') folder = rest.next().value ?? hole;
    else if (word.startsWith('--tmpdir=')) folder = word.slice('--tmpdir='.length);
    else if (word === '-t') template = `/tmp/${rest.next().value ?? hole}`;
    else if (!word.startsWith('-')) template = word;
  }
  if (!isKnown(folder) || (template !== undefined && !isKnown(template))) return hole;
  if (template === undefined) return `${folder}/tmp.XXXXXXXXXX\n`;
  if (template.startsWith('/')) return `${template}\n`;
  return cwd === null ? hole : `${cwd}/${template}\n`;
}

/** `which npm`, `command -v npm`: in which folder it is found is unknown, but not its name. */
function whichProgram([program, ...given]: readonly Text[]): Text {
  const name = given.at(-1);
  if (name === undefined || name.startsWith('-') || name.includes('/') || !isKnown(name)) return hole;
  const options = given.slice(0, -1).join(' ');
  const asksForPath = program === 'which' ? options === '' : /^-[pPv]$/.test(options) && program !== undefined;
  return asksForPath ? `${hole}/${name}\n` : hole;
}

function echo(words: readonly Text[]): Text {
  let at = 1;
  let newline = '\n';
  let escapes = false;
  for (; /^-[neE]+$/.test(words[at] ?? ''); at += 1) {
    for (const letter of words[at]?.slice(1) ?? '') {
      if (letter === 'n') newline = '';
      else escapes = letter === 'e';
    }
  }
  const text = words.slice(at).join(' ');
  return (escapes ? unescapeText(text) : text) + newline;
}

function unescapeText(text: Text): Text {
  if (!text.includes('\\')) return text;
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] !== '\\') {
      result += text[index];
      continue;
    }
    index += 1;
    const meaning = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', "'": "'" }[text[index] ?? ''];
    if (meaning === undefined) return hole;
    result += meaning;
  }
  return result;
}

/** `printf` with `%s`, `%d`, `%b` and `%%`, without widths; the format is used again while arguments are left. */
export function printf(words: readonly Text[]): Text {
  const start = words[1] === '--' ? 2 : 1;
  const format = words[start];
  if (format === undefined || format === '-v') return hole;
  const args = words.slice(start + 1);
  const pieces = format.split('%');
  let text = '';
  let used = 0;
  do {
    const before = used;
    text += unescapeText(pieces[0] ?? '');
    for (let index = 1; index < pieces.length; index += 1) {
      const piece = pieces[index] ?? '';
      if (piece === '' && index + 1 < pieces.length) {
        text += `%${unescapeText(pieces[index + 1] ?? '')}`;
        index += 1;
        continue;
      }
      if (!/^[sdb]/.test(piece)) return hole;
      const value = args[used] ?? '';
      used += 1;
      text += (piece.startsWith('b') ? unescapeText(value) : value) + unescapeText(piece.slice(1));
    }
    if (used === before) break;
  } while (used < args.length);
  return text;
}

function cat(words: readonly Text[], { facts, scope, cwd, stdin }: OutputSetting): Text {
  const files = words.slice(1).filter((word) => word === '-' || !word.startsWith('-'));
  if (files.length !== words.length - 1) return hole;
  if (files.length === 0) return stdin ?? hole;
  return files.map((file) => (file === '-' ? (stdin ?? hole) : fileText(file, cwd, scope, facts))).join('');
}

/** The text of a file as it is when a command comes to it: what the script wrote before, else what is on the disk. */
export function fileText(file: Text, cwd: string | null, scope: Scope, facts: Facts): Text {
  const place = filePlace(cwd, file);
  if (place === null) return hole;
  return scope.file(place) ?? (folderFrom(cwd, file) === null ? undefined : facts.readText(place)) ?? hole;
}

function git(words: readonly Text[], { facts, cwd }: OutputSetting): Text {
  const { at } = readGitFront(words);
  const question = words.slice(at).join(' ');
  const repo = cwd === null ? undefined : facts.repo(cwd);
  const branch = () => repo?.branch() ?? hole;
  switch (question) {
    case 'branch --show-current':
    case 'rev-parse --abbrev-ref HEAD':
    case 'rev-parse --abbrev-ref @':
    case 'symbolic-ref --short HEAD':
    case 'symbolic-ref -q --short HEAD':
    case 'symbolic-ref --short -q HEAD':
    case 'symbolic-ref --quiet --short HEAD':
      return `${branch()}\n`;
    case 'symbolic-ref HEAD':
      return `refs/heads/${branch()}\n`;
    case 'symbolic-ref refs/remotes/origin/HEAD':
      return `refs/remotes/origin/${defaultBranch(repo, facts)}\n`;
    case 'symbolic-ref --short refs/remotes/origin/HEAD':
    case 'rev-parse --abbrev-ref origin/HEAD':
      return `origin/${defaultBranch(repo, facts)}\n`;
    case 'for-each-ref --format=%(symref:lstrip=3) refs/remotes/origin/HEAD':
    case 'for-each-ref --format %(symref:lstrip=3) refs/remotes/origin/HEAD':
      return `${defaultBranch(repo, facts)}\n`;
    case 'for-each-ref --format=%(symref:short) refs/remotes/origin/HEAD':
      return `origin/${defaultBranch(repo, facts)}\n`;
    case 'remote show origin':
      return `* remote origin\n${hole}\n  ${headMark}: ${defaultBranch(repo, facts)}\n${hole}\n`;
    case 'rev-parse --show-toplevel':
      return `${repo?.top ?? hole}\n`;
    case 'rev-parse --git-dir':
      return `${repo && repo.gitDir === `${cwd}/.git` ? '.git' : (repo?.gitDir ?? hole)}\n`;
    case 'rev-parse --absolute-git-dir':
      return `${repo?.gitDir ?? hole}\n`;
    case 'rev-parse --git-common-dir':
      return `${repo && repo.commonDir === `${cwd}/.git` ? '.git' : (repo?.commonDir ?? hole)}\n`;
    default:
      return settingAsked(words.slice(at), repo);
  }
}

/** What `git config KEY` prints: nothing where the key is not set, and then it fails. */
function settingAsked([command, ...words]: readonly Text[], repo: Repo | undefined): Text {
  const [key, ...others] = words[0] === '--get' || words[0] === 'get' ? words.slice(1) : words;
  const isRead =
    command === 'config' && key !== undefined && others.length === 0 && isKnown(key) && !key.startsWith('-');
  const asked = isRead ? canonicalKey(key) : undefined;
  if (asked === undefined || !repo || repo.config.isUnknown(asked)) return hole;
  const value = repo.config.get(asked);
  return value === undefined ? '' : `${value}\n`;
}

/** The branch that `origin` has for its default, as the clone noted it. */
function defaultBranch(repo: Repo | undefined, facts: Facts): Text {
  const text = repo && facts.readText(`${repo.commonDir}/refs/remotes/origin/HEAD`);
  return /^ref: refs\/remotes\/origin\/(\S+)\s*$/.exec(text ?? '')?.[1] ?? hole;
}

/** `gh repo view` where it is asked for one thing that the checkout knows too. */
function gh(words: readonly Text[], { facts, cwd }: OutputSetting): Text {
  const repo = cwd === null ? undefined : facts.repo(cwd);
  const asked = words.slice(1).join(' ');
  if (/^api repos\/\{owner\}\/\{repo\} (?:-q|--jq) \.default_branch$/.test(asked))
    return `${defaultBranch(repo, facts)}\n`;
  const match =
    /^repo view --json (\w+) (?:-q|--jq) \.([\w.]+)$/.exec(asked) ??
    /^repo view --json (\w+) (?:-t|--template) \{\{ ?\.([\w.]+) ?\}\}$/.exec(asked);
  if (match?.[1] === 'defaultBranchRef' && match[2] === 'defaultBranchRef.name')
    return `${defaultBranch(repo, facts)}\n`;
  if (match?.[1] !== 'nameWithOwner' || match[2] !== 'nameWithOwner') return hole;
  const address = repo?.config.get('remote.origin.url')?.replace(/(?:\.git)?\/*$/, '');
  const name = /[/:]([^/:]+\/[^/:]+)$/.exec(address ?? '')?.[1];
  return name === undefined ? hole : `${name}\n`;
}
