import { Late } from '../late.ts';
import type { BlockedCommand } from '../policy/policy.ts';
import type { Text } from '../shell/text.ts';

/** One program call, or the wrapper round one. */
export interface JudgedLine {
  readonly words: readonly Text[];
  /** How many of them are a wrapper's own; what it starts follows. */
  readonly own?: number;
  /** The absolute folder it works in; `null` when unknown. */
  readonly cwd: string | null;
  /** The file that it is fed by `<`. */
  readonly input?: Text;
}

/** What compares calls with the commands that a config blocks. */
interface BlockedPatterns {
  /** Whether a call is what an entry names. `root` is the folder of the config. */
  isBlocked(entry: BlockedCommand, line: JudgedLine, root: string): boolean;
}

/** The spellings of many programs, which only a config asks for that blocks a command. */
export const blockedPatterns = new Late<BlockedPatterns>(() => import('./blocked-patterns.ts'));
