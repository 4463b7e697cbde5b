const missed = new Set<() => Promise<unknown>>();

/**
 * A part of the program that few calls need, so that it is loaded only for those. Whoever asks for it before gets an
 * error; then {@link loadMissed} loads it, and the question is put again. It suits what changes nothing when it is asked
 * twice, as guards and policies do. A module brings itself when it is loaded, so importing it is enough elsewhere.
 */
export class Late<Part> {
  readonly #load: () => Promise<unknown>;
  #part: Part | undefined;

  constructor(load: () => Promise<unknown>) {
    this.#load = load;
  }

  bring(part: Part): void {
    this.#part = part;
    missed.delete(this.#load);
  }

  /** Throws where it is not loaded yet. */
  get(): Part {
    const part = this.peek();
    if (part === undefined) throw new Error('A part of cagr is not loaded.');
    return part;
  }

  /** `undefined` where it is not loaded yet, for those who can go on without it until they are asked again. */
  peek(): Part | undefined {
    if (this.#part === undefined) missed.add(this.#load);
    return this.#part;
  }
}

/** Loads what was asked for in vain; gives whether there was anything. */
export async function loadMissed(): Promise<boolean> {
  const loads = [...missed];
  missed.clear();
  await Promise.all(loads.map((load) => load()));
  return loads.length > 0;
}
