import type { ArgWord, Invocation, Word } from './invocation.ts';
import { hole, isKnown, showText, type Text, textOf, toWord } from './text.ts';

/** A word that is known whole; `null` for one that is not. */
export function wholeWord(word: Word): ArgWord;
export function wholeWord(word: Word | undefined): ArgWord | undefined;
export function wholeWord(word: Word | undefined): ArgWord | undefined {
  return typeof word === 'object' ? null : word;
}

/** One option of a git command line. */
export interface GitOption {
  /** The long name without dashes, as in the table below, or the letter of an option that has no long name. */
  readonly name: string;
  /** `false` when it was negated: `--no-force`. */
  readonly on: boolean;
  /** `null` when unknown, `undefined` when the option was given none. */
  readonly value: Word | undefined;
  /** The word it stands in, as written: `--forc`, `-nm`. What is unknown of it is `…`. */
  readonly text: string;
  /** Where that word stands in `argv`. */
  readonly index: number;
}

/** A git command line, read by git's own grammar. */
export interface GitCall {
  readonly invocation: Invocation;
  /** `null` when unknown; `undefined` when there is none (`git --version`). */
  readonly subcommand: ArgWord | undefined;
  /** The options in front of the subcommand. */
  readonly globals: readonly GitOption[];
  /** The options behind it, in order; a later one is stronger. */
  readonly options: readonly GitOption[];
  /** The other words behind it, in order; `null` where unknown. */
  readonly positionals: readonly Word[];
  /** How many positionals stand in front of `--`; `undefined` without it. */
  readonly dashes: number | undefined;
}

/**
 * The options of the subcommands that the guards judge, as in git's own `-h` (2.39, with later additions: `--branches` of
 * push, the verbs of config): `short|long`, `=` for a value, `=?` for an optional value, `!` for one that has no negation.
 */
const tables = {
  push: 'v|verbose q|quiet repo= all branches mirror d|delete tags n|dry-run porcelain f|force force-with-lease=? force-if-includes recurse-submodules= thin receive-pack= exec= u|set-upstream progress prune no-verify follow-tags signed=? atomic o|push-option= 4|ipv4 6|ipv6',
  'send-pack':
    'v|verbose q|quiet receive-pack= exec= remote= all n|dry-run mirror f|force signed=? push-option= progress thin atomic stateless-rpc stdin helper-status force-with-lease=? force-if-includes',
  commit:
    'q|quiet v|verbose F|file= author= date= m|message= c|reedit-message= C|reuse-message= fixup= squash= reset-author trailer= s|signoff t|template= e|edit cleanup= status S|gpg-sign=? a|all i|include interactive p|patch o|only n|no-verify dry-run short branch ahead-behind porcelain long z|null amend no-post-rewrite u|untracked-files=? pathspec-from-file= pathspec-file-nul allow-empty allow-empty-message',
  merge:
    'n stat summary log=? squash commit e|edit cleanup= ff ff-only rerere-autoupdate verify-signatures s|strategy= X|strategy-option= m|message= F|file= into-name= v|verbose q|quiet !abort !quit !continue allow-unrelated-histories progress S|gpg-sign=? autostash overwrite-ignore signoff no-verify',
  pull: 'v|verbose q|quiet progress recurse-submodules=? r|rebase=? n stat summary log=? signoff=? squash commit edit cleanup= ff ff-only verify verify-signatures autostash s|strategy= X|strategy-option= S|gpg-sign=? allow-unrelated-histories all a|append upload-pack= f|force t|tags p|prune j|jobs=? dry-run k|keep depth= shallow-since= shallow-exclude= deepen= unshallow update-shallow refmap= o|server-option= 4|ipv4 6|ipv6 negotiation-tip= show-forced-updates set-upstream',
  fetch:
    'v|verbose q|quiet all set-upstream a|append atomic upload-pack= f|force m|multiple t|tags n j|jobs= prefetch p|prune P|prune-tags recurse-submodules=? dry-run write-fetch-head k|keep u|update-head-ok progress depth= shallow-since= shallow-exclude= deepen= unshallow refetch update-shallow refmap= o|server-option= 4|ipv4 6|ipv6 negotiation-tip= negotiate-only filter= auto-maintenance auto-gc show-forced-updates write-commit-graph stdin',
  rebase:
    'onto= keep-base no-verify q|quiet v|verbose n|no-stat signoff committer-date-is-author-date reset-author-date ignore-date C= ignore-whitespace whitespace= f|force-rebase no-ff !continue !skip !abort !quit !edit-todo !show-current-patch apply m|merge i|interactive rerere-autoupdate empty= autosquash update-refs S|gpg-sign=? autostash x|exec= r|rebase-merges=? fork-point s|strategy= X|strategy-option= root reschedule-failed-exec reapply-cherry-picks k|keep-empty allow-empty-message',
  am: 'i|interactive n|no-verify 3|3way q|quiet s|signoff u|utf8 k|keep keep-non-patch m|message-id keep-cr c|scissors quoted-cr= whitespace= ignore-space-change ignore-whitespace directory= exclude= include= C= p= patch-format= reject resolvemsg= !continue !r|resolved !skip !abort !quit show-current-patch=? allow-empty committer-date-is-author-date ignore-date rerere-autoupdate S|gpg-sign=? empty=',
  'cherry-pick':
    '!quit !continue !abort !skip cleanup= n|no-commit e|edit s|signoff m|mainline= rerere-autoupdate strategy= X|strategy-option= S|gpg-sign=? x ff allow-empty allow-empty-message keep-redundant-commits empty=',
  revert:
    '!quit !continue !abort !skip cleanup= n|no-commit e|edit s|signoff m|mainline= rerere-autoupdate strategy= X|strategy-option= S|gpg-sign=? reference',
  config:
    'global system local worktree f|file= blob= get get-all get-regexp get-urlmatch replace-all add unset unset-all rename-section remove-section l|list fixed-value e|edit get-color get-colorbool t|type= bool int bool-or-int bool-or-str path expiry-date z|null name-only includes show-origin show-scope default= show-names value= all append comment= regexp url=',
  checkout:
    'b= B= l guess overlay q|quiet recurse-submodules=? progress m|merge conflict= d|detach t|track=? f|force orphan= overwrite-ignore ignore-other-worktrees 2|ours 3|theirs p|patch ignore-skip-worktree-bits pathspec-from-file= pathspec-file-nul',
  switch:
    'c|create= C|force-create= guess discard-changes q|quiet recurse-submodules=? progress m|merge conflict= d|detach t|track=? f|force orphan= overwrite-ignore ignore-other-worktrees',
  branch:
    'v|verbose q|quiet t|track=? u|set-upstream-to= unset-upstream color=? r|remotes contains= no-contains= abbrev=? a|all d|delete D m|move M c|copy C l|list show-current create-reflog edit-description f|force merged=? no-merged=? column=? sort= points-at= i|ignore-case recurse-submodules format=',
  reset:
    'q|quiet no-refresh mixed soft hard merge keep recurse-submodules=? p|patch N|intent-to-add pathspec-from-file= pathspec-file-nul',
  restore:
    's|source= S|staged W|worktree ignore-unmerged overlay q|quiet recurse-submodules=? progress m|merge conflict= 2|ours 3|theirs p|patch ignore-skip-worktree-bits pathspec-from-file= pathspec-file-nul',
  stash:
    'p|patch S|staged k|keep-index q|quiet u|include-untracked a|all m|message= index pathspec-from-file= pathspec-file-nul',
  worktree:
    'f|force b= B= d|detach checkout lock reason= q|quiet track guess-remote orphan v|verbose porcelain z n|dry-run expire=',
  init: 'template= separate-git-dir= bare shared=? q|quiet b|initial-branch= object-format= ref-format=',
  clone:
    'v|verbose q|quiet progress reject-shallow n|no-checkout bare mirror l|local no-hardlinks s|shared recurse-submodules=? recursive=? j|jobs= template= reference= reference-if-able= dissociate o|origin= b|branch= revision= u|upload-pack= depth= shallow-since= shallow-exclude= single-branch no-tags tags shallow-submodules separate-git-dir= ref-format= c|config= server-option= 4|ipv4 6|ipv6 filter= also-filter-submodules remote-submodules sparse bundle-uri=',
  remote:
    'v|verbose t|track= m|master= f|fetch tags mirror=? push add delete all a|auto d n p|prune n|dry-run progress',
  tag: 'l|list n=? d|delete v|verify a|annotate m|message= F|file= trailer= e|edit s|sign cleanup= u|local-user= f|force create-reflog column=? contains= no-contains= merged=? no-merged=? sort= points-at=? format= color=? i|ignore-case omit-empty',
  'update-ref': 'm= d no-deref z stdin create-reflog',
  'commit-tree': 'p= m= F= S|gpg-sign=?',
  'symbolic-ref': 'q|quiet d|delete short recurse m=',
  add: 'n|dry-run v|verbose i|interactive p|patch e|edit f|force u|update renormalize N|intent-to-add A|all ignore-removal refresh ignore-errors ignore-missing sparse chmod= pathspec-from-file= pathspec-file-nul',
  rm: 'n|dry-run q|quiet cached f|force r ignore-unmatch sparse pathspec-from-file= pathspec-file-nul',
  mv: 'v|verbose n|dry-run f|force k sparse',
  clean: 'q|quiet n|dry-run f|force i|interactive d e|exclude= x X',
  apply:
    'exclude= include= p= no-add stat numstat summary check index N|intent-to-add cached unsafe-paths apply 3|3way build-fake-ancestor= z C= whitespace= ignore-space-change ignore-whitespace R|reverse unidiff-zero reject allow-overlap v|verbose q|quiet inaccurate-eof recount directory= allow-empty',
  'read-tree':
    'index-output= empty v|verbose m trivial aggressive reset prefix= u exclude-per-directory= i n|dry-run no-sparse-checkout debug-unpack recurse-submodules=? q|quiet',
  'update-index':
    'q ignore-submodules add replace remove unmerged refresh really-refresh cacheinfo= chmod= assume-unchanged skip-worktree info-only force-remove z stdin index-info unresolve g|again ignore-missing verbose index-version= split-index untracked-cache fsmonitor',
  'sparse-checkout': 'cone sparse-index stdin skip-checks',
  submodule:
    'q|quiet cached recursive remote N|no-fetch f|force checkout merge rebase init b|branch= reference= name= depth= j|jobs= all',
  subtree: 'q d P|prefix= annotate= b|branch= ignore-joins onto= rejoin squash m|message=',
} as const satisfies Record<string, string>;

interface OptionRow {
  readonly name: string;
  readonly value: 'none' | 'needed' | 'optional';
  readonly negates: boolean;
}

interface OptionTable {
  readonly long: ReadonlyMap<string, OptionRow>;
  readonly short: ReadonlyMap<string, OptionRow>;
}

/** Whether the options of a subcommand are known, and with them which words are their values. */
export const knowsGitOptions = (subcommand: string): boolean => Object.hasOwn(tables, subcommand);

const read = new Map<string, OptionTable>();
const empty: OptionTable = { long: new Map(), short: new Map() };

function tableOf(subcommand: string): OptionTable {
  const known = read.get(subcommand);
  if (known) return known;
  if (!Object.hasOwn(tables, subcommand)) return empty;
  const long = new Map<string, OptionRow>();
  const short = new Map<string, OptionRow>();
  for (const entry of tables[subcommand as keyof typeof tables].split(' ')) {
    const [, mark, letter, name = '', sign] = /^(!?)(?:(.)\|)?([^=]+)(=\??)?$/.exec(entry) ?? [];
    const value = sign === '=' ? 'needed' : sign === '=?' ? 'optional' : 'none';
    const row: OptionRow = { name, value, negates: mark === '' };
    if (name.length > 1) long.set(name, row);
    if (letter !== undefined || name.length === 1) short.set(letter ?? name, row);
  }
  const table = { long, short };
  read.set(subcommand, table);
  return table;
}

/** The options in front of the subcommand that take a value, each as the next word or (the long ones) behind `=`. */
const globalsWithValue: ReadonlySet<string> = new Set([
  'c',
  'C',
  'git-dir',
  'work-tree',
  'namespace',
  'config-env',
  'shallow-file',
  'super-prefix',
  'attr-source',
]);

/** In these the first positional ends the options: `git config core.pager -x`. */
const stopsAtPositional: ReadonlySet<string> = new Set(['config', 'symbolic-ref']);

/** The verbs that `git config` knows since 2.46, behind which its options go on. */
export const configVerbs: ReadonlySet<string> = new Set([
  'list',
  'get',
  'set',
  'unset',
  'rename-section',
  'remove-section',
  'edit',
]);

const readings = new WeakMap<Invocation, GitCall | null>();

/** Reads an invocation of git; `undefined` for another program, and where git only shows its help. */
export function readGit(invocation: Invocation): GitCall | undefined {
  const known = readings.get(invocation);
  if (known !== undefined) return known ?? undefined;
  const call = readCall(invocation);
  readings.set(invocation, call ?? null);
  return call;
}

function readCall(invocation: Invocation): GitCall | undefined {
  const { program, words } = invocation;
  if (program === null) return undefined;
  if (program !== 'git') {
    // Git's own folder of programs holds `git-push` and its like.
    const dashed = program.startsWith('git-') ? program.slice('git-'.length) : '';
    return Object.hasOwn(tables, dashed)
      ? readSubcommand({ invocation, subcommand: dashed, globals: [], start: 1 })
      : undefined;
  }
  const globals: GitOption[] = [];
  let index = 1;
  for (; index < words.length; index += 1) {
    const word = textOf(words[index] ?? '');
    if (!word.startsWith('-')) break;
    if (word === '-h' || word === '--help') return undefined;
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const name = word.slice(word.startsWith('--') ? 2 : 1, equals < 0 ? undefined : equals);
    const at = index;
    let value: Word | undefined = equals < 0 ? undefined : toWord(word.slice(equals + 1));
    if (equals < 0 && globalsWithValue.has(name)) {
      index += 1;
      value = words[index];
    }
    globals.push({ name, on: true, value, text: showText(word), index: at });
  }
  const subcommand = invocation.argv[index];
  return readSubcommand({ invocation, subcommand, globals, start: index + 1 });
}

interface SubcommandStart {
  readonly invocation: Invocation;
  readonly subcommand: ArgWord | undefined;
  readonly globals: readonly GitOption[];
  readonly start: number;
}

function readSubcommand({ invocation, subcommand, globals, start }: SubcommandStart): GitCall | undefined {
  const { words } = invocation;
  const options: GitOption[] = [];
  const positionals: Word[] = [];
  const table = tableOf(subcommand ?? '');
  let dashes: number | undefined;
  for (let index = start; index < words.length; index += 1) {
    const written = words[index] ?? null;
    const word = textOf(written);
    // An unknown word is taken for what it most often is: none of the options.
    if (word === '-' || !word.startsWith('-')) {
      positionals.push(written);
      const isVerb = positionals.length === 1 && subcommand === 'config' && configVerbs.has(word);
      if (!isVerb && stopsAtPositional.has(subcommand ?? '')) {
        positionals.push(...words.slice(index + 1));
        break;
      }
      continue;
    }
    if (word === '--' || word === '--end-of-options') {
      dashes = positionals.length;
      positionals.push(...words.slice(index + 1));
      break;
    }
    const found = word.startsWith('--') ? readLong(word, table) : readShort(word, table);
    for (const { name, on, value, wantsNext } of found) {
      if (name === 'help' || name === 'h') return undefined;
      const given = value === undefined ? undefined : toWord(value);
      options.push({ name, on, value: wantsNext ? words[index + 1] : given, text: showText(word), index });
      if (wantsNext) index += 1;
    }
  }
  return { invocation, subcommand, globals, options, positionals, dashes };
}

interface FoundOption {
  readonly name: string;
  readonly on: boolean;
  readonly value: Text | undefined;
  readonly wantsNext: boolean;
}

/**
 * A long option as git's parse-options reads it: exact, negated, or the beginning of a name. A beginning that fits
 * several names is an error to git; here it counts as the shortest of them. A name that is not known whole is none.
 */
function readLong(word: Text, table: OptionTable): readonly FoundOption[] {
  const equals = word.indexOf('=');
  const written = word.slice(2, equals < 0 ? undefined : equals);
  if (!isKnown(written)) return [];
  const value = equals < 0 ? undefined : word.slice(equals + 1);
  const found = exact(written, table) ?? abbreviated(written, table);
  if (found === undefined) return [{ name: written, on: true, value, wantsNext: false }];
  const { row, on } = found;
  return [{ name: row.name, on, value, wantsNext: on && row.value === 'needed' && value === undefined }];
}

interface NamedOption {
  readonly row: OptionRow;
  readonly on: boolean;
}

function exact(written: string, table: OptionTable): NamedOption | undefined {
  const row = table.long.get(written);
  if (row) return { row, on: true };
  const plain = written.startsWith('no-') ? table.long.get(written.slice('no-'.length)) : undefined;
  if (plain?.negates) return { row: plain, on: false };
  const negative = table.long.get(`no-${written}`);
  return negative?.negates ? { row: negative, on: false } : undefined;
}

function abbreviated(written: string, table: OptionTable): NamedOption | undefined {
  if (written === '') return undefined;
  let best: (NamedOption & { readonly spelling: string }) | undefined;
  const consider = (spelling: string, row: OptionRow, on: boolean): void => {
    if (spelling.startsWith(written) && (!best || spelling.length < best.spelling.length)) best = { row, on, spelling };
  };
  for (const [name, row] of table.long) {
    consider(name, row, true);
    if (row.negates) consider(name.startsWith('no-') ? name.slice('no-'.length) : `no-${name}`, row, false);
  }
  return best;
}

/** Short options, several in one word, the last of them with its value attached or in the next word: `-nm`, `-mtext`. */
function readShort(word: Text, table: OptionTable): readonly FoundOption[] {
  const found: FoundOption[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    // From here on they could be any letters, and a value behind them.
    if (letter === hole) break;
    const row = table.short.get(letter);
    const rest = word.slice(at + 1);
    if (!row || row.value === 'none') {
      found.push({ name: row?.name ?? letter, on: true, value: undefined, wantsNext: false });
      continue;
    }
    const value = rest === '' ? undefined : rest;
    found.push({ name: row.name, on: true, value, wantsNext: row.value === 'needed' && value === undefined });
    break;
  }
  return found;
}

/** The option that decides, the last one of its name: on, off, or `undefined` where it is not given. */
export function lastOption(call: GitCall, name: string): GitOption | undefined {
  return call.options.findLast((option) => option.name === name);
}

/** Whether an option is given and not taken back later. */
export function isOn(call: GitCall, name: string): boolean {
  return lastOption(call, name)?.on ?? false;
}

/**
 * The words of the call without some of its options and their values, or `undefined` where a word is unknown or the call
 * reads its stdin, so that the line could not be pasted. A letter in a word of several is taken out alone.
 */
export function wordsWithout(call: GitCall, drops: (option: GitOption) => boolean): readonly string[] | undefined {
  const { argv, stdin } = call.invocation;
  if (stdin !== undefined) return undefined;
  const words: string[] = [];
  const options = [...call.globals, ...call.options];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? null;
    const here = options.filter((option) => option.index === index);
    const dropped = here.filter(drops);
    // What is unknown of it is dropped with it: `--force-with-lease=$X`.
    if (word === null && here.length > 0 && dropped.length === here.length) continue;
    if (word === null) return undefined;
    if (dropped.length === 0) {
      words.push(word);
      continue;
    }
    const kept = here.filter((option) => !drops(option));
    const takesNext = (option: GitOption | undefined): boolean =>
      typeof option?.value === 'string' && option.value === argv[index + 1] && !word.endsWith(option.value);
    if (kept.length === 0) {
      if (takesNext(dropped.at(-1))) index += 1;
      continue;
    }
    const table = tableOf(call.subcommand ?? '');
    const letters = kept.map(({ name }) => shortOf(name, table)).join('');
    const last = here.at(-1);
    const attached = last && kept.includes(last) && !takesNext(last) ? (wholeWord(last.value) ?? '') : '';
    words.push(`-${letters}${attached}`);
  }
  return words;
}

function shortOf(name: string, table: OptionTable): string {
  if (name.length === 1) return name;
  return [...table.short].find(([, row]) => row.name === name)?.[0] ?? '';
}
