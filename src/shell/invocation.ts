import type { FileList } from './file-lists.ts';

/**
 * A word of a command line: its text after the shell's expansions, or `null` where only the running shell could know it;
 * an unquoted unknown may be any number of words. A glob is left as written, for that is what it is if nothing matches.
 */
export type ArgWord = string | null;

/** A word of which a part is known: `$SHA:main`, `--force-with-lease=$X`. */
interface HalfWord {
  /** The text, with a hole (`text.ts`) in the place of each part that only the running shell could know. */
  readonly half: string;
}

/** A word that keeps what is known of it. `null`: nothing. */
export type Word = ArgWord | HalfWord;

/** How the reader came from the script to an invocation. */
export interface Via {
  readonly kind:
    | 'shell'
    | 'wrapper'
    | 'runner'
    | 'package-script'
    | 'script-file'
    | 'git-alias'
    | 'substitution'
    | 'function';
  /** As written: `bash -lc`, `sudo`, `npx`, `bun run db:push`, `./deploy.sh`, `git ci`. */
  readonly text: string;
  /** The same words, of a wrapper or a shell that is no call of its own besides what it starts. */
  readonly words?: readonly Word[];
}

/** A redirect to or from a file. Descriptors that are only copied (`2>&1`) are left out. */
export interface FileRedirect {
  readonly operator: '>' | '>>' | '>|' | '<' | '<>' | '&>' | '&>>' | '>&';
  readonly target: ArgWord;
  /** What is known of a target that is given as `null`, with holes (`text.ts`). Left out where that is nothing. */
  readonly half?: string;
}

/** The words and the targets of redirects of a call, with marks for the files of lists, which are unknown elsewhere. */
interface ListedWords {
  readonly words: readonly string[];
  readonly targets: readonly string[];
  /** The list that a mark stands for. */
  listOf(text: string): FileList | undefined;
}

/**
 * One program call found in a shell command. Wrappers (`sudo`, `env`, `timeout`, `bash -lc`) are taken off and listed in
 * `via`; a runner (`npx prisma db push`, `bun run db:push`) is an invocation of its own, followed by what it runs.
 */
export interface Invocation {
  /** The program's base name without `.exe`; `null` when the program word is unknown. */
  readonly program: string | null;
  /** The words from the program on; `argv[0]` is the program as written. */
  readonly argv: readonly ArgWord[];
  /** The same words, with what is known of those that `argv` gives as `null`. */
  readonly words: readonly Word[];
  /** What this command line itself sets: assignments in front, `env A=b`, earlier `export`s. Never the hook's own environment. */
  readonly env: ReadonlyMap<string, ArgWord>;
  /**
   * The absolute folder it works in; `null` when unknown (`cd "$x"`). Options that name a folder (`git -C`, `--git-dir`,
   * `GIT_DIR`, `npm --prefix`, `make -C`) are followed here already, though `argv` still has them.
   */
  readonly cwd: string | null;
  /** Where a git starts whose `cwd` is that of the repository that `--git-dir` or `GIT_DIR` names. */
  readonly startedIn?: string | null;
  /** Where `cwd` is unknown, but one of a few folders (`[ -d web ] && cd web; …`): those. */
  readonly places?: readonly string[];
  readonly redirects: readonly FileRedirect[];
  /**
   * What it reads on stdin, where a heredoc, here-string or a plain `echo`/`printf`/`cat` pipe says so; `null`: something
   * is fed, but nobody can say what; `undefined`: nothing is.
   */
  readonly stdin: ArgWord | undefined;
  /**
   * What the script wrote before into the files that this call names: absolute path → text, `null` where nobody can say.
   * Left out where it wrote none.
   */
  readonly files?: ReadonlyMap<string, ArgWord>;
  /** The files of lists that it is given. Left out where there are none. */
  readonly listed?: ListedWords;
  readonly via: readonly Via[];
  /** The command as written in the script, for quoting in messages. */
  readonly text: string;
  /** It runs on another host or in a container (`ssh`, `docker exec`): not this repo's business. */
  readonly elsewhere: boolean;
}
