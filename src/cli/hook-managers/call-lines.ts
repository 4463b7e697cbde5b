import type { GitHookName } from '../../git-hook/words.ts';
import { shellPath } from './managed-hooks.ts';

/**
 * The line with which another's hook runs cagr's. Where cagr's is not there, on an old commit or after `cagr uninstall`,
 * it does nothing.
 */
export function callLine(hooksPath: string, hook: GitHookName, words: string): string {
  const file = shellPath(`${hooksPath}/${hook}`);
  return `test ! -f ${file} || sh ${file} ${words}`;
}

/** Lines for the beginning of a sh script that stops when cagr does and hands the refs of a push on to what follows. */
export function leadingLines(hooksPath: string, hook: GitHookName): readonly string[] {
  if (hook === 'commit-msg') return [`${callLine(hooksPath, hook, '"$@"')} || exit`];
  const file = shellPath(`${hooksPath}/${hook}`);
  return [
    '# Git sends the list of refs once; what follows reads it too.',
    'cagr_refs=$(cat)',
    `test ! -f ${file} || printf '%s\\n' "$cagr_refs" | sh ${file} "$@" || exit`,
    'test -z "$cagr_refs" || exec <<CAGR_REFS',
    '$cagr_refs',
    'CAGR_REFS',
  ];
}
