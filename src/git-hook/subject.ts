/** What of git's state decides how a message file is read. */
export interface MessageContext {
  /** `core.commentChar` or `core.commentString`. */
  readonly commentChar: string | undefined;
  /** `commit.cleanup`. */
  readonly cleanup: string | undefined;
  /** Whether the person saw the message in an editor; git sets `GIT_EDITOR=:` for the hook when they did not. */
  readonly edited: boolean;
}

/** What git picks from with `core.commentChar = auto` (git-config documentation: the first that starts no line of the message). */
const autoChars = '#;@!$%^&|:';
const scissors = ' ------------------------ >8 ------------------------';

/**
 * The subject as git will keep it: the first line that is neither empty nor a comment, without trailing white space;
 * empty when git will see an empty message. Git cleans the file only after the hook has run, so the hook reads it by the
 * same rules: comment lines go when an editor was used (`strip`) and stay with `-m` or `-F` (`whitespace`), and
 * `commit.cleanup` can say otherwise. A `--cleanup` option is not told to the hook.
 */
export function readSubject(text: string, context: MessageContext): string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const comment = commentPrefix(lines, context.commentChar);
  const stripped = stripsComments(context);
  for (const line of lines) {
    if (line.startsWith(`${comment}${scissors}`)) return '';
    if (line.trim() === '' || (stripped && line.startsWith(comment))) continue;
    return line.trimEnd();
  }
  return '';
}

/** Subjects that git writes itself; a rule on messages is no business of theirs. */
export function isGenerated(subject: string): boolean {
  return /^(?:Merge (?:branch|branches|remote-tracking branch|remote-tracking branches|tag|tags|commit|commits|pull request|[a-z]+:\/\/)\b|(?:Revert|Reapply) "|(?:fixup|squash|amend)! )/.test(
    subject,
  );
}

function stripsComments({ cleanup, edited }: MessageContext): boolean {
  if (cleanup === 'strip') return true;
  if (cleanup === 'whitespace' || cleanup === 'verbatim' || cleanup === 'scissors') return false;
  return edited;
}

function commentPrefix(lines: readonly string[], configured: string | undefined): string {
  if (configured !== undefined && configured !== '' && configured.toLowerCase() !== 'auto') return configured;
  if (configured?.toLowerCase() !== 'auto') return '#';
  const cut = lines.find((line) => line.endsWith(scissors) && autoChars.includes(line.charAt(0)));
  if (cut !== undefined) return cut.charAt(0);
  // Git's own comment lines stand at the end of the file.
  const last = lines.findLast((line) => line.trim() !== '')?.charAt(0) ?? '';
  return last !== '' && autoChars.includes(last) ? last : '#';
}
