import { optionValue, scanOptions, splitQuoted } from './options.ts';
import { hole, type Text } from './text.ts';

/** The front of a git command line: git's own options and where the subcommand stands. */
export interface GitFront {
  /** The index of the subcommand; the number of words if there is none. */
  readonly at: number;
  /** The values of `-C`, in order. */
  readonly folders: readonly Text[];
  readonly gitDir: Text | undefined;
  readonly workTree: Text | undefined;
  /** `-c key=value`; a key without a value is `true`. */
  readonly settings: readonly (readonly [key: string, value: Text])[];
}

const frontGrammar = {
  short: 'Cc',
  long: [
    'git-dir',
    'work-tree',
    'namespace',
    'super-prefix',
    'config-env',
    'attr-source',
    'exec-path-value',
    'list-cmds',
  ],
};

/** Reads git's own options (git 2.39, with `--attr-source` of 2.41). */
export function readGitFront(words: readonly Text[]): GitFront {
  const scanned = scanOptions(words, 1, frontGrammar);
  const settings = scanned.options.flatMap(({ name, value }): [string, Text][] => {
    if (name !== 'c' || value === undefined) return [];
    const equals = value.indexOf('=');
    return [equals < 0 ? [value, 'true'] : [value.slice(0, equals), value.slice(equals + 1)]];
  });
  return {
    at: scanned.at,
    folders: scanned.options.flatMap(({ name, value }) => (name === 'C' && value !== undefined ? [value] : [])),
    gitDir: optionValue(scanned, 'git-dir'),
    workTree: optionValue(scanned, 'work-tree'),
    settings,
  };
}

/** Git's own commands, which no alias can replace. Source: `git --list-cmds=main` of git 2.39 and the newer ones' documentation. */
const gitCommands: ReadonlySet<string> = new Set(
  `add am annotate apply archimport archive backfill bisect blame branch bugreport bundle cat-file check-attr check-ignore
  check-mailmap check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph
  commit-tree config count-objects credential credential-cache credential-store cvsexportcommit cvsimport cvsserver daemon
  describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import fetch fetch-pack
  filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsck-objects fsmonitor--daemon gc
  get-tar-commit-id grep gui hash-object help history hook http-backend http-fetch http-push imap-send index-pack init init-db
  instaweb interpret-trailers last-modified log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base
  merge-file merge-index merge-octopus merge-one-file merge-ours merge-recursive merge-resolve merge-subtree merge-tree
  mergetool mktag mktree multi-pack-index mv name-rev notes p4 pack-objects pack-redundant pack-refs patch-id pickaxe prune
  prune-packed pull push quiltimport range-diff read-tree rebase receive-pack reflog refs remote remote-ext remote-fd repack
  replace replay repo request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shell shortlog show
  show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag
  unpack-file unpack-objects update-index update-ref update-server-info upload-archive upload-pack var verify-commit
  verify-pack verify-tag version web--browse whatchanged worktree write-tree`.split(/\s+/),
);

export const isGitCommand = (name: string): boolean => gitCommands.has(name);

/** What git commands run on their own: `rebase --exec`, `bisect run`, `submodule foreach`. */
export function scriptsOf(command: string, args: readonly Text[]): readonly { script: Text; folder?: Text }[] {
  if (command === 'rebase') {
    const scripts: { script: Text }[] = [];
    args.forEach((word, index) => {
      const next = args[index + 1];
      if ((word === '-x' || word === '--exec') && next !== undefined) scripts.push({ script: next });
      else if (word.startsWith('--exec=')) scripts.push({ script: word.slice('--exec='.length) });
    });
    return scripts;
  }
  if (command === 'bisect' && args[0] === 'run' && args.length > 1) return [{ script: args.slice(1).join(' ') }];
  if (command === 'submodule') {
    const start = args.indexOf('foreach');
    const rest =
      start < 0
        ? []
        : args
            .slice(start + 1)
            .filter(
              (word, index, all) =>
                !(word.startsWith('--') && all.slice(0, index).every((earlier) => earlier.startsWith('--'))),
            );
    return rest.length > 0 ? [{ script: rest.join(' '), folder: hole }] : [];
  }
  return [];
}

/** The words that a plain alias puts in the place of its name; `undefined` for one that is a shell command. */
export const aliasWords = (value: string): readonly Text[] | undefined =>
  value.startsWith('!') ? undefined : splitQuoted(value);
