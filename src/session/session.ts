/** What a session's state is kept for: a checkout, an agent, and a session or one of its subagents. */
export interface SessionKey {
  /** The absolute top of the checkout. */
  readonly checkout: string;
  readonly agent: string;
  readonly session: string | undefined;
  readonly subagent: string | undefined;
}

/** How the sessions are named in which `cagr doctor` tries the hooks; nothing is counted in them. */
export const trialSession = 'cagr-doctor-';
