/** The hidden first argument with which cagr starts itself to search files (`watch-child.ts`). */
export const searcherArgument = '--search-files';
