/** Set by the build, from the sources: what another cagr has kept may mean something else. */
declare const CAGR_BUILD: string;

/** Names this build; `undefined` where the sources run as they are, and nothing is kept for the next process. */
export const build = typeof CAGR_BUILD === 'undefined' ? undefined : CAGR_BUILD;
