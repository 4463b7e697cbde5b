import type { Facts } from '../facts.ts';
import type { JavaScriptManager, Policy } from '../policy/policy.ts';

/** How cagr is started where it is a dependency, by the package manager of the repo. */
export const ownCalls: Readonly<Record<JavaScriptManager, string>> = {
  npm: 'npx cagr',
  pnpm: 'pnpm exec cagr',
  yarn: 'yarn cagr',
  bun: 'bunx cagr',
  deno: 'deno run -A npm:cagr',
};

interface Manifest {
  readonly packageManager?: unknown;
  readonly dependencies?: unknown;
  readonly devDependencies?: unknown;
}

/**
 * How cagr is started in a repo: through its package manager where the package.json beside the config lists cagr, for only
 * that works in every clone; else by its name.
 */
export function ownCall({ root, packageManagers }: Policy, { readText }: Pick<Facts, 'readText'>): string {
  const manifest = parsed(readText(`${root}/package.json`));
  if (!manifest || !(lists(manifest.dependencies) || lists(manifest.devDependencies))) return 'cagr';
  return ownCalls[packageManagers.javascript ?? named(manifest) ?? 'npm'];
}

function parsed(text: string | undefined): Manifest | undefined {
  // Most package.json files don't name cagr, and need not be read further.
  if (!text?.includes('"cagr"')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // A package.json that is no JSON lists nothing.
    return undefined;
  }
}

const lists = (packages: unknown): boolean =>
  typeof packages === 'object' && packages !== null && Object.hasOwn(packages, 'cagr');

function named({ packageManager }: Manifest): JavaScriptManager | undefined {
  const name = typeof packageManager === 'string' ? packageManager.split('@')[0] : undefined;
  return (Object.keys(ownCalls) as JavaScriptManager[]).find((manager) => manager === name);
}
