import type { ConfigError } from '../policy/config-error.ts';

/** The broken configs that a call's files lie below, each once: the files of other configs are judged all the same. */
export class BrokenConfigs {
  readonly #errors = new Map<string, ConfigError>();

  add(error: ConfigError): void {
    this.#errors.set(error.message, error);
  }

  /** Throws the first where there is one: nothing else can be judged then. */
  throwAny(): void {
    for (const error of this.#errors.values()) throw error;
  }

  /** For the human, each with the places of its mistakes. */
  async notices(): Promise<readonly string[]> {
    if (this.#errors.size === 0) return [];
    const { failOpen } = await import('./fail-open.ts');
    return await Promise.all([...this.#errors.values()].map(failOpen));
  }
}
