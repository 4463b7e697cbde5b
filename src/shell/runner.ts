import type { Text } from './text.ts';

/** What a package runner starts. */
export type Ran = {
  /** How many of the runner's words stand before what it starts: they become the text of `via`. */
  readonly at: number;
  /** The folder of the project it works in, where an option names one; a {@link hole} if that is unknown. */
  readonly folder?: Text | undefined;
  /** The package of the workspace that an option names, by its name or its folder; where it lies must be looked up. */
  readonly workspace?: Text | undefined;
} & (
  | { readonly kind: 'program'; readonly words: readonly Text[] }
  | { readonly kind: 'shell'; readonly script: Text }
  | {
      /** A script of `package.json`, and where there is none of that name, perhaps an installed program. */
      readonly kind: 'script';
      readonly name: Text;
      readonly args: readonly Text[];
      readonly orProgram: boolean;
    }
);

/** Finds what a runner starts; empty where it starts nothing of the repo's (`npm install`). */
export type Runner = (words: readonly Text[]) => readonly Ran[];

/** Packages whose program has a name of its own, by the `bin` of their `package.json` as published in 2025. */
const ownPrograms: ReadonlyMap<string, string> = new Map([
  ['dotenv-cli', 'dotenv'],
  ['firebase-tools', 'firebase'],
  ['netlify-cli', 'netlify'],
  ['aws-cdk', 'cdk'],
  ['cdktf-cli', 'cdktf'],
  ['eas-cli', 'eas'],
  ['typescript', 'tsc'],
  ['npm-check-updates', 'ncu'],
  ['@angular/cli', 'ng'],
  ['@nestjs/cli', 'nest'],
  ['@railway/cli', 'railway'],
  ['@infisical/cli', 'infisical'],
  ['@sentry/cli', 'sentry-cli'],
  ['@ionic/cli', 'ionic'],
  ['@shopify/cli', 'shopify'],
  ['@playwright/test', 'playwright'],
]);

/**
 * The name of a package as it is run: `prisma@5.1.0` → `prisma`, `@biomejs/biome@2` → `biome`, `firebase-tools` →
 * `firebase`.
 */
export function packageProgram(spec: Text): Text {
  const plain = spec.startsWith('npm:') ? spec.slice(4) : spec;
  const version = plain.indexOf('@', 1);
  const name = version < 0 ? plain : plain.slice(0, version);
  const own = ownPrograms.get(name);
  if (own !== undefined) return own;
  return plain.startsWith('@') && name.includes('/') ? name.slice(name.indexOf('/') + 1) : name;
}

export function program(words: readonly Text[], at: number, folder?: Text): readonly Ran[] {
  const [spec, ...args] = words.slice(at);
  if (spec === undefined) return [];
  return [{ kind: 'program', words: [packageProgram(spec), ...args], at, folder }];
}

export const packageScript = (
  words: readonly Text[],
  at: number,
  { orProgram = false, folder, args }: { orProgram?: boolean; folder?: Text | undefined; args?: readonly Text[] },
): readonly Ran[] => {
  const name = words[at];
  if (name === undefined) return [];
  return [{ kind: 'script', name, args: args ?? words.slice(at + 1), orProgram, at: at + 1, folder }];
};
