import type { Outcome } from './call.ts';

type Leaves = NonNullable<Outcome['leaves']>;

/** The further out, the more of what follows is in doubt. */
const reach: readonly Leaves[] = ['continue', 'break', 'return', 'exit'];

/** What is over with a loop, with a function, and with a shell of its own. */
const ends = { loop: ['continue', 'break'], function: ['continue', 'break', 'return'], shell: reach } as const;

/**
 * Whether what is being read runs for certain. What the agent wrote itself is read as if all of it ran; of a script file
 * of the repo only that counts which runs whatever its conditions say, for an innocent call of it (`./release.sh --help`)
 * must not be taken for all that it can do.
 */
export class Certainty {
  #files = 0;
  #doubts = 0;
  #nevers = 0;
  /** What may have been left before, by a way that may not have been taken. */
  #left: Leaves | undefined;

  get isInFile(): boolean {
    return this.#files > 0;
  }

  get isCertain(): boolean {
    return this.#files === 0 || (this.#doubts === 0 && this.#left === undefined);
  }

  /** Reads a script file: conditions round its call are the agent's own. */
  inFile<Result>(action: () => Result): Result {
    const outer = { doubts: this.#doubts, nevers: this.#nevers, left: this.#left };
    // A file that another one may not come to is not come to.
    this.#doubts = this.isCertain ? 0 : 1;
    this.#nevers = 0;
    this.#left = undefined;
    this.#files += 1;
    const result = action();
    this.#files -= 1;
    this.#doubts = outer.doubts;
    this.#nevers = outer.nevers;
    this.#left = outer.left;
    return result;
  }

  /** Reads a way that may not be taken. */
  perhaps(action: () => Outcome): Outcome {
    this.#doubts += 1;
    const outcome = action();
    this.#doubts -= 1;
    if (outcome.leaves) this.#leave(outcome.leaves);
    return outcome;
  }

  /** Reads a way that is not taken, or only where something went wrong. */
  never(action: () => Outcome): Outcome {
    this.#doubts += 1;
    this.#nevers += 1;
    const outcome = action();
    this.#doubts -= 1;
    this.#nevers -= 1;
    return outcome;
  }

  /** Reads a part of which the end is also the end of what may have been left. */
  within<Result>(part: keyof typeof ends, action: () => Result): Result {
    const left = this.#left;
    const result = action();
    if (this.#left !== undefined && (ends[part] as readonly Leaves[]).includes(this.#left)) this.#left = left;
    return result;
  }

  #leave(leaves: Leaves): void {
    if (this.#nevers > 0) return;
    if (this.#left === undefined || reach.indexOf(leaves) > reach.indexOf(this.#left)) this.#left = leaves;
  }
}
