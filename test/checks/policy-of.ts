import { parse } from 'smol-toml';
import { compile } from '../../src/policy/compile.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { validate } from '../../src/policy/validate.ts';

/** The policy that a config in a folder means; throws on a mistake in it. */
export function policyOf(toml: string, folder: string): Policy {
  const { config, flaws } = validate(parse(toml));
  if (!config || flaws.length > 0) throw new Error(`the config of this test is wrong: ${JSON.stringify(flaws)}`);
  return compile(config, { root: folder, file: `${folder}/cagr.toml` });
}
