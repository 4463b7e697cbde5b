import { cutText } from '../decision.ts';
import { appendRows, type Log, type Row, readRows } from './log.ts';

/** How long a whole hook took. */
interface HookTiming {
  readonly kind: 'hook';
  /** An event of an agent, or a git hook. */
  readonly hook: string;
  /** From the start of the process, in ms. */
  readonly took: number;
}

/** How long a configured command took within a hook. */
export interface CommandTiming {
  readonly kind: 'command';
  readonly hook: string;
  /** As configured, cut by {@link commandName}. */
  readonly command: string;
  /** In ms. */
  readonly took: number;
}

export type Timing = HookTiming | CommandTiming;

const log: Log = { name: 'timings', rows: 200, bytes: 256 * 1_024 };

/** The name that a command's timings are kept under. */
export const commandName = (command: string): string => cutText(command, 300, '…');

/** Keeps timings of one hook in the checkout; the last 200 in all stay. Never throws. */
export function keepTimings(checkout: string, timings: readonly Timing[]): void {
  appendRows(
    checkout,
    log,
    timings.map((timing): Row => {
      const took = Math.round(timing.took * 10) / 10;
      return timing.kind === 'hook' ? [timing.hook, took] : [timing.hook, took, commandName(timing.command)];
    }),
  );
}

/** The last 200 timings of a checkout, oldest first. */
export function readTimings(checkout: string): readonly Timing[] {
  return readRows(checkout, log).flatMap(([hook, took, command]): readonly Timing[] => {
    if (typeof hook !== 'string' || typeof took !== 'number') return [];
    if (command === undefined) return [{ kind: 'hook', hook, took }];
    return typeof command === 'string' ? [{ kind: 'command', hook, took, command }] : [];
  });
}
