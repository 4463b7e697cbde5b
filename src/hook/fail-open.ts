import { failOpenNotice } from '../decision.ts';
import type { Judgement } from '../guards/judge.ts';
import { ConfigError } from '../policy/config-error.ts';

/** The notice for the human when cagr itself fails. A broken config is named with the place of each mistake. */
export async function failOpen(error: unknown): Promise<string> {
  return failOpenNotice(await locate(error));
}

/** An error as people should see it: the mistakes of a config get their lines and columns, other errors stay as they are. */
async function locate(error: unknown): Promise<unknown> {
  if (!(error instanceof ConfigError)) return error;
  try {
    const { locateMistakes } = await import('../policy/mistakes.ts');
    return await locateMistakes(error);
  } catch {
    // The config changed or went away meanwhile: the mistakes without their places say enough.
    return error;
  }
}

/** A judgement whose errors are as people should see them. */
export async function locateFailures(judgement: Judgement): Promise<Judgement> {
  if (judgement.failures.length === 0) return judgement;
  const failures = await Promise.all(
    judgement.failures.map(async (failure) => ({ ...failure, error: await locate(failure.error) })),
  );
  return { ...judgement, failures };
}
