import { type EventName, events } from '../events.ts';

/** How long before the agent gives a hook up it answers with what is known, in ms. */
const reserve = 2_000;

/**
 * How long a hook may still work, in ms; a function that is asked again and again. It holds to a clock that nobody sets.
 *
 * @param startedAt when the process started, in ms since the epoch.
 */
export function timeLeft(event: EventName, startedAt: number): () => number {
  const deadline = startedAt + events[event].timeout * 1_000 - reserve;
  return () => deadline - (performance.timeOrigin + performance.now());
}
