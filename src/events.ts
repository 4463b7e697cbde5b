/** The five events that every agent's own events map onto, and what cagr promises for each. */
export interface EventRow {
  /** What a whole hook of this event may take, in ms, before `cagr doctor` fails; `null` where the budget names none. */
  readonly budget: number | null;
  /** The limit that `sync` writes into the agent's hook file, in seconds. */
  readonly timeout: number;
  /** The strongest answer that this event can give. */
  readonly strongest: 'allow' | 'deny' | 'block';
}

export const events = {
  'session.start': { budget: null, timeout: 10, strongest: 'allow' },
  'command.before': { budget: 50, timeout: 10, strongest: 'deny' },
  'file.before_edit': { budget: 50, timeout: 10, strongest: 'deny' },
  'file.after_edit': { budget: 1_000, timeout: 60, strongest: 'block' },
  'turn.end': { budget: 60_000, timeout: 300, strongest: 'block' },
} as const satisfies Record<string, EventRow>;

export type EventName = keyof typeof events;

export const eventNames = Object.keys(events) as readonly EventName[];

export const isEventName = (text: string): text is EventName => Object.hasOwn(events, text);
