import { readText } from './refs.ts';
import { wildmatch } from './wildmatch.ts';

interface Rule {
  readonly pattern: string;
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
}

/**
 * Whether git leaves a file of a checkout out of its sight, by the `.gitignore` files and `info/exclude`; the person's
 * own list (`core.excludesFile`) is not read. The path is relative to the top of the checkout and is taken for a file.
 * Source: gitignore(5).
 */
export function openIgnores(top: string, commonDir: string): (path: string) => boolean {
  const known = new Map<string, readonly Rule[]>();
  const rulesOf = (file: string): readonly Rule[] => {
    let rules = known.get(file);
    if (!rules) {
      rules = (readText(file) ?? '').split('\n').flatMap(readRule);
      known.set(file, rules);
    }
    return rules;
  };
  return (path) => {
    const parts = path.split('/');
    // A folder that is left out takes all below it along, whatever is said further down.
    return parts.some((_, index) => {
      const isFolder = index < parts.length - 1;
      for (let depth = index; depth >= 0; depth -= 1) {
        const folder = parts.slice(0, depth).join('/');
        const below = parts.slice(depth, index + 1).join('/');
        const rule = decisive(rulesOf(`${top}/${folder}${folder === '' ? '' : '/'}.gitignore`), below, isFolder);
        if (rule) return !rule.isNegated;
      }
      const rule = decisive(rulesOf(`${commonDir}/info/exclude`), parts.slice(0, index + 1).join('/'), isFolder);
      return rule !== undefined && !rule.isNegated;
    });
  };
}

/** The last rule that matches decides. */
function decisive(rules: readonly Rule[], path: string, isFolder: boolean): Rule | undefined {
  return rules.findLast(({ pattern, foldersOnly }) => (isFolder || !foldersOnly) && wildmatch(pattern, path));
}

function readRule(line: string): readonly Rule[] {
  // Blanks at the end count only behind a backslash.
  let text = line.replace(/\r$/, '').replace(/(?<!\\) +$/, '');
  if (text === '' || text.startsWith('#')) return [];
  const isNegated = text.startsWith('!');
  if (isNegated) text = text.slice(1);
  const foldersOnly = text.endsWith('/');
  if (foldersOnly) text = text.slice(0, -1);
  // With a slash at its front or middle it starts at its own folder, else it is a name at any depth.
  const pattern = text.includes('/') ? text.replace(/^\//, '') : `**/${text}`;
  return pattern === '' || pattern === '**/' ? [] : [{ pattern, isNegated, foldersOnly }];
}
