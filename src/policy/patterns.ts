/** The types of the preset: those of the Conventional Commits that most projects take (`@commitlint/config-conventional`). */
export const conventionalTypes = 'build chore ci docs feat fix perf refactor revert style test'.split(' ');

/** The `[git] commit_message = "conventional"` preset: https://www.conventionalcommits.org, version 1.0.0. */
export const conventional = {
  name: 'conventional',
  pattern: '^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\\([^()\\r\\n]+\\))?!?: \\S.*$',
  example: 'feat(deals): add pipeline board',
} as const;

/**
 * The pattern for a branch name or a commit subject. It is searched for anywhere in the text, as the example of each
 * config shows with its `^`; it has no flags but `u`. Throws `SyntaxError` if it is no regular expression.
 */
export const namePattern = (source: string): RegExp => compilePattern(source, '');

/**
 * The pattern of a code rule: `^` and `$` hold at each line, and `g` is there for `matchAll`. Throws `SyntaxError` if it
 * is no regular expression.
 */
export const codePattern = (source: string): RegExp => compilePattern(source, 'gm');

/**
 * With the flag `u` if the pattern allows it, for it counts characters and knows `\p{L}`. Without it for patterns such
 * as `\_` or `\-`, that only `u` refuses. But an escaped letter that means nothing (`\A`, `\Z`) stays an error, since
 * without `u` it would silently stand for the letter.
 */
function compilePattern(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    for (const [written, letter = ''] of source.matchAll(/\\(?:([A-Za-z])|.)/gs)) {
      if (letter !== '' && !'bBcdDfknrsStuvwWx'.includes(letter)) {
        throw new SyntaxError(`${written} means nothing here`, { cause: error });
      }
    }
    return new RegExp(source, flags);
  }
}
