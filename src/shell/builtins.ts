import type { Call, Machine, Outcome } from './call.ts';
import { silent } from './call.ts';
import { isListed } from './file-lists.ts';
import { folderFrom } from './folders.ts';
import { scanOptions, splitAssignment } from './options.ts';
import { printf } from './outputs.ts';
import { hole, isKnown, type Text } from './text.ts';

/** A command of the shell that changes what the rest of the script means. */
interface Builtin {
  run(words: readonly Text[], call: Call, machine: Machine): Outcome;
  /** Whether this form of it does anything of the kind; every form, where there is no such function. */
  applies?(words: readonly Text[]): boolean;
  /** It only holds a script, so it is no program call of its own. */
  readonly isTransparent?: true;
}

type Run = Builtin['run'];

const cd: Run = (words, { scope }, { facts }) => {
  const { at } = scanOptions(words, 1, {});
  // Bash refuses a second folder.
  if (words.length > at + 1 && words.slice(at).every(isKnown)) return { status: 'fails', output: '' };
  const target = words[at] ?? scope.get('HOME')?.text ?? facts.home;
  const isBack = words[1] === '-' || target === '-';
  const folder = isBack ? scope.previous : folderFrom(scope.cwd, target);
  scope.changeFolder(folder);
  const output = isBack ? `${folder ?? hole}\n` : '';
  return { status: folder !== null && facts.exists(folder) ? 'ok' : 'likely', output };
};

/** How many folders `popd` can go back. */
const mostFolders = 100;

const pushd: Run = (words, { scope }) => {
  const target = words.find((word, index) => index > 0 && !word.startsWith('-'));
  const [top = null, ...rest] = scope.folders;
  if (target === undefined) {
    scope.folders = [scope.cwd, ...rest];
    scope.changeFolder(top);
  } else {
    scope.folders = [scope.cwd, ...scope.folders.slice(0, mostFolders)];
    scope.changeFolder(target.startsWith('+') ? null : folderFrom(scope.cwd, target));
  }
  return { status: 'likely', output: hole };
};

const popd: Run = (_words, { scope }) => {
  const [top = null, ...rest] = scope.folders;
  scope.folders = rest;
  scope.changeFolder(top);
  return { status: 'likely', output: hole };
};

/** `export`, `declare`, `typeset`, `local`, `readonly`: what `NAME=value` sets, and `-x` or `export` exports. */
const declare: Run = (words, { scope }) => {
  const letters = words.filter((word) => /^[-+][A-Za-z]+$/.test(word)).join('');
  const isExport = words[0] === 'export';
  const removes = isExport ? letters.includes('n') : letters.includes('+x');
  const exports = !removes && (isExport || letters.includes('x'));
  // Without a name it prints them all.
  if (letters.includes('f') || letters.includes('p') || words.length === 1) return { status: 'ok', output: hole };
  for (const word of words.slice(1)) {
    if (/^[-+]/.test(word)) continue;
    const [name, value] = splitAssignment(word) ?? [word, undefined];
    if (!/^[A-Za-z_]\w*$/.test(name)) continue;
    const before = scope.get(name);
    const { locals } = scope;
    const isNew = locals && !locals.has(name) && !isExport && words[0] !== 'readonly' && !letters.includes('g');
    if (isNew) locals.set(name, before);
    const exported =
      exports || (!removes && (scope.exportsAll || before?.exported === 'later' || (before?.exported ?? false)));
    if (value !== undefined) scope.set(name, { text: letters.includes('n') && !isExport ? hole : value, exported });
    else if (before && !isNew) scope.set(name, { ...before, exported });
    // An exported name without a value may stand in the shell's own environment.
    else if (isExport) scope.set(name, { text: hole, exported: removes ? false : 'later' });
    else scope.set(name, { text: undefined, exported });
  }
  return silent;
};

const unset: Run = (words, { scope }) => {
  if (words.includes('-f')) return silent;
  for (const name of words.slice(1))
    if (/^[A-Za-z_]\w*$/.test(name)) scope.set(name, { text: undefined, exported: false });
  return silent;
};

const set: Run = (words, { scope }) => {
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--' || !/^[-+]./.test(word)) {
      scope.args = words.slice(word === '--' ? at + 1 : at);
      break;
    }
    if (/^-[a-z]*a/.test(word) || (word === '-o' && words[at + 1] === 'allexport')) scope.exportsAll = true;
    if (/^\+[a-z]*a/.test(word) || (word === '+o' && words[at + 1] === 'allexport')) scope.exportsAll = false;
    if (/^[-+][a-z]*o$/.test(word)) at += 1;
  }
  return silent;
};

const shift: Run = (words, { scope }, machine) => {
  if (!machine.spend(scope.args?.length ?? 0)) return silent;
  const count = words[1] === undefined ? 1 : Number(words[1]);
  scope.args = Number.isInteger(count) ? scope.args?.slice(count) : undefined;
  return silent;
};

const read: Run = (words, { scope, feed }) => {
  const scanned = scanOptions(words, 1, { short: 'adinNptu' });
  const names = words.slice(scanned.at);
  const array = scanned.options.find(({ name }) => name === 'a')?.value;
  if (array !== undefined) scope.assign(array, hole, null);
  const [line = ''] = feed && !feed.taken ? feed.text.split(/[\n\0]/, 1) : [hole];
  if (feed) feed.taken = true;
  const isPlain = scanned.options.every(({ name }) => name === 'r' || (name === 'd' && isListed(line)));
  const value = isPlain && (isKnown(line) || isListed(line)) ? line.trim() : hole;
  for (const name of names) scope.assign(name, names.length === 1 ? value : hole);
  return { status: 'unknown', output: '' };
};

const mapfile: Run = (words, { scope, feed }) => {
  const { at } = scanOptions(words, 1, { short: 'dnOsuCc' });
  const lines = feed && !feed.taken ? feed.text.split(/[\n\0]/).filter((line) => line !== '') : [hole];
  if (feed) feed.taken = true;
  const isList = lines.length > 0 && lines.every(isListed);
  scope.assign(words[at] ?? 'MAPFILE', isList ? lines[0] : hole, isList ? lines : null);
  return silent;
};

const evaluate: Builtin = {
  isTransparent: true,
  applies: (words) => /[^\s\uE000-\uF8FF]/.test(words.slice(1).join(' ')),
  run(words, call, machine) {
    const via = [...call.via, { kind: 'shell', text: 'eval', words: ['eval'] } as const];
    const inner = { via, elsewhere: call.elsewhere, feed: call.feed };
    const { assigned, scope } = call;
    const run = () => machine.nested(() => machine.script(words.slice(1).join(' '), scope, inner));
    return assigned ? scope.during(assigned, run) : run();
  },
};

const trap: Builtin = {
  isTransparent: true,
  applies(words) {
    const { at } = scanOptions(words, 1, {});
    return words.length >= at + 2 && words[at] !== '-' && words[at]?.trim() !== '';
  },
  run(words, call, machine) {
    const script = words[scanOptions(words, 1, {}).at] ?? '';
    const via = [...call.via, { kind: 'shell', text: 'trap', words: ['trap'] } as const];
    const at = { via, elsewhere: call.elsewhere, feed: undefined };
    const read = () => machine.nested(() => machine.script(script, call.scope.child(), at));
    const { output } = machine.certainty.never(read);
    // It comes when the shell ends, somewhere in what the shell prints.
    return output === '' ? silent : { status: 'ok', output: hole };
  },
};

const leave =
  (leaves: 'exit' | 'return' | 'break' | 'continue'): Run =>
  () => ({ leaves, status: 'ok', output: '' });

/** Outside of a function and a file that is read by `source`, bash only complains. */
const leaveFunction: Run = (words, call, machine) => {
  const isInside = call.scope.locals !== undefined || call.via.some(({ text }) => /^(source|\.)( |$)/.test(text));
  return isInside ? leave('return')(words, call, machine) : { status: 'fails', output: '' };
};

const printfInto: Builtin = {
  applies: (words) => words[1] === '-v' && words[2] !== undefined,
  run(words, { scope }) {
    scope.assign(words[2] ?? '', printf(['printf', ...words.slice(3)]));
    return silent;
  },
};

const setsNames: Run = (words, { scope }) => {
  for (const word of words.slice(1)) {
    const name = /^([A-Za-z_]\w*)/.exec(word)?.[1];
    if (name !== undefined) scope.assign(name, hole);
  }
  return { status: 'unknown', output: '' };
};

const rows: Readonly<Record<string, Builtin | Run>> = {
  cd,
  chdir: cd,
  pushd,
  popd,
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  unset,
  set,
  shift,
  read,
  mapfile,
  readarray: mapfile,
  eval: evaluate,
  trap,
  exit: leave('exit'),
  logout: leave('exit'),
  return: leaveFunction,
  break: leave('break'),
  continue: leave('continue'),
  printf: printfInto,
  let: setsNames,
  getopts: (words, call, machine) => setsNames(['getopts', words[2] ?? '', 'OPTARG', 'OPTIND'], call, machine),
};

const builtins: ReadonlyMap<string, Builtin> = new Map(
  Object.entries(rows).map(([name, row]) => [name, typeof row === 'function' ? { run: row } : row]),
);

/** The builtin that words call, if it changes a script's state. */
export function findBuiltin(words: readonly Text[]): Builtin | undefined {
  const builtin = builtins.get(words[0] ?? '');
  return builtin && (builtin.applies?.(words) ?? true) ? builtin : undefined;
}
