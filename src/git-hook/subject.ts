/** What git does to a message before it keeps it (git-commit(1), `--cleanup`). */
export type Cleanup = 'strip' | 'whitespace' | 'scissors' | 'verbatim';

/** What of git's state decides how a message file is read. */
export interface MessageContext {
  /** `core.commentChar` or `core.commentString`. */
  readonly commentChar: string | undefined;
  /** `commit.cleanup`, or the value of `--cleanup` where that is known. */
  readonly cleanup: string | undefined;
  /** Whether the person saw the message in an editor; git sets `GIT_EDITOR=:` for the hook when they did not. */
  readonly edited: boolean;
}

/** What git picks from with `core.commentChar = auto`, in this order. Source: builtin/commit.c of git 2.39. */
const autoChars = '#;@!$%^&|:';
const scissors = ' ------------------------ >8 ------------------------';

/**
 * The subject as git will keep it: the first line that is neither empty nor a comment, without trailing white space;
 * empty when git will see an empty message. Git cleans the file only after the hook has run, so the hook reads it by the
 * same rules: comment lines go when an editor was used (`strip`) and stay with `-m` or `-F` (`whitespace`), and
 * `commit.cleanup` can say otherwise. A `--cleanup` option is not told to the hook.
 */
export function readSubject(text: string, context: MessageContext): string {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const comment = commentPrefix(lines, context);
  const stripped = cleanupOf(context) === 'strip';
  for (const line of lines) {
    if (line.startsWith(`${comment}${scissors}`) && context.edited && cutsHere(lines, line, context)) return '';
    if (line.trim() === '' || (stripped && line.startsWith(comment))) continue;
    // Git would keep a carriage return in the middle; nobody sees what stands behind it.
    return line.trimEnd().replace(/\r.*/s, '');
  }
  return '';
}

/**
 * Whether git cuts the message at its scissors line. It does so only where there was an editor, with `--cleanup=scissors`
 * or where `-v` put the diff below; else the line is a comment like any other (git-commit(1); builtin/commit.c of 2.39).
 */
function cutsHere(lines: readonly string[], line: string, context: MessageContext): boolean {
  if (cleanupOf(context) === 'scissors') return true;
  const below = lines.slice(lines.indexOf(line) + 1);
  return below.find((one) => one.trim() !== '' && !one.startsWith(line.charAt(0)))?.startsWith('diff ') ?? true;
}

/** The subject as it would be if comment lines were kept where they go, and the other way round. */
export const otherReading = (text: string, context: MessageContext): string =>
  readSubject(text, { ...context, cleanup: cleanupOf(context) === 'strip' ? 'whitespace' : 'strip' });

/**
 * Subjects that git writes itself; a rule on messages is no business of theirs. While a merge is under way (`MERGE_HEAD`)
 * whatever git put behind `Merge` is its own: the name of a branch, a tag, a path or a URL. Without that sign only the
 * shapes that git and its forges give a merge count: what is merged stands in quotes, has a number or is a URL.
 */
export function isGenerated(subject: string, merging: boolean): boolean {
  if (merging && subject.startsWith('Merge ')) return true;
  return /^(?:Merge (?:(?:remote-tracking branch|branch|tag|commit)(?:es|s)? '|pull request #?\d|[a-z]+:\/\/)|(?:Revert|Reapply) "|(?:fixup|squash|amend)! \S)/.test(
    subject,
  );
}

function cleanupOf({ cleanup, edited }: MessageContext): Cleanup {
  if (cleanup === 'strip' || cleanup === 'whitespace' || cleanup === 'verbatim' || cleanup === 'scissors')
    return cleanup;
  return edited ? 'strip' : 'whitespace';
}

function commentPrefix(lines: readonly string[], { commentChar, edited }: MessageContext): string {
  if (commentChar?.toLowerCase() !== 'auto') return commentChar === undefined || commentChar === '' ? '#' : commentChar;
  const cut = lines.find((line) => line.endsWith(scissors) && autoChars.includes(line.charAt(0)));
  if (cut !== undefined) return cut.charAt(0);
  // With `-m` and `-F` git adds no lines of its own, and takes the first character that begins none of the message.
  if (!edited) return [...autoChars].find((char) => !lines.some((line) => line.startsWith(char))) ?? '#';
  // Git's own comment lines stand at the end of the file.
  const last = lines.findLast((line) => line.trim() !== '')?.charAt(0) ?? '';
  return last !== '' && autoChars.includes(last) ? last : '#';
}
