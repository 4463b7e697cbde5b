import { isAbsolute, isWithin, normalise, resolveFrom } from '../paths.ts';
import type { ArgWord, Invocation } from '../shell/invocation.ts';

/** Programs that write no file, whatever their arguments. What they are redirected to is looked at apart. */
const readers: ReadonlySet<string> = new Set(
  `[ : ag alias awk base64 basename bat break bg cal cat cd cksum clear cmp column comm command continue cut date declare
  df diff dig dirname dirs du echo egrep env exit expand export expr false fd fg fgrep file fold free getconf getopts gh
  grep groups hash head hexdump history host hostname id jobs join jq kill less let local locale ls lsof man md5sum more
  nl nproc nslookup numfmt od paste pgrep ping popd pr printenv printf ps pushd pwd read readlink readonly realpath return
  rev rg sed seq set sha1sum sha256sum sha512sum shasum shift shopt sleep sort ss ssh stat strings tac tail test time times tr
  trap tree true tsort tty type typeset ulimit umask unalias uname unexpand uniq unset uptime wait wc whereis which who
  whoami xxd yes yq`.split(/\s+/),
);

/** Options with which a reader writes after all; a short one counts in a cluster and with its value attached (`-i.bak`). */
const writingOptions: Readonly<Record<string, readonly string[]>> = {
  sed: ['-i', '--in-place'],
  sort: ['-o', '--output'],
  tree: ['-o'],
  yq: ['-i', '--inplace'],
  awk: ['-i', '--include'],
  xxd: ['-r'],
};

/** Primaries of `find` that write or start something (what `-exec` starts is an invocation of its own). */
const writingPrimaries: ReadonlySet<string> = new Set(['-delete', '-fprint', '-fprint0', '-fprintf', '-fls']);

/** Subcommands of git that bring somebody's edits into the work tree; what git's own commands write besides is not counted. */
const writingGit: ReadonlySet<string> = new Set(['apply', 'am', 'mv', 'rm']);

/**
 * Whether a command may write files of the repo by itself, so that the end of the turn has to ask git what changed. Only
 * what surely reads is taken for reading: listing, searching, showing, and git, whose own writes (switch, pull, stash) are
 * not the agent's edits.
 *
 * @param top the absolute top of the checkout.
 */
export function mayWrite({ program, argv, cwd, redirects, elsewhere }: Invocation, top: string): boolean {
  if (elsewhere) return false;
  const writes = redirects.some(({ operator, target }) => operator !== '<' && mayBeBelow(target, cwd, top));
  if (writes || program === null) return true;
  const args = argv.slice(1);
  if (program === 'find') return args.some((word) => word === null || writingPrimaries.has(word));
  if (program === 'git') return writingGit.has(gitSubcommand(args) ?? '');
  if (program === 'curl')
    return args.some((word) => word === null || isOption(word, ['-o', '-O', '--output', '--remote-name', '-J']));
  if (!readers.has(program)) return true;
  if ((program === 'awk' || program === 'sed') && args.some((word) => word === null || mayRedirect(program, word)))
    return true;
  const options = (Object.hasOwn(writingOptions, program) ? writingOptions[program] : undefined) ?? [];
  return options.length > 0 && args.some((word) => word === null || isOption(word, options));
}

/** The first word that is neither one of git's own options nor the value of one. */
function gitSubcommand(args: readonly ArgWord[]): ArgWord | undefined {
  return args.find((word, index) => {
    const before = args[index - 1];
    return word !== null && !word.startsWith('-') && before !== '-C' && before !== '-c';
  });
}

function mayBeBelow(target: ArgWord, cwd: string | null, top: string): boolean {
  if (target === null) return true;
  if (isAbsolute(target)) return isWithin(top, normalise(target));
  return cwd === null || isWithin(top, resolveFrom(cwd, target));
}

/** An awk program can print to a file, a sed script can write one. */
function mayRedirect(program: string, word: string): boolean {
  if (word.startsWith('-')) return false;
  return program === 'awk' ? word.includes('>') || word.includes('system(') : /(^|[;/}\s])w\s/.test(word);
}

function isOption(word: string, options: readonly string[]): boolean {
  return options.some((option) => {
    if (option.startsWith('--')) return word === option || word.startsWith(`${option}=`);
    return word.startsWith('-') && !word.startsWith('--') && word.includes(option.slice(1));
  });
}
