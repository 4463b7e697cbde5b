import { readOptions } from './gh-options.ts';
import type { CommandCall } from './guard.ts';
import type { RemoteWrite } from './hosts.ts';

/**
 * Source: the reference of `jj git push` and `jj bookmark` (jj 0.35). Without a bookmark's name it pushes the tracked ones
 * that lead to the working copy, which jj's own log tells: here those count that the commands in front put there.
 */
export function jjWrites(call: CommandCall): readonly RemoteWrite[] {
  const { words, options } = readOptions(call.invocation.argv.slice(1), {
    values: [
      ...['bookmark', 'change', 'revisions', 'named', 'remote', 'option'],
      ...['repository', 'at-operation', 'color', 'config', 'config-file', 'config-toml'],
    ],
    flags: [
      'all',
      'tracked',
      'deleted',
      'dry-run',
      'allow-new',
      'allow-empty-description',
      'allow-private',
      'help',
      'quiet',
    ],
    short: { b: 'bookmark', c: 'change', r: 'revisions', R: 'repository', N: 'allow-new', h: 'help', o: 'option' },
  });
  if (words[0] !== 'git' || words[1] !== 'push' || options.has('dry-run') || options.has('help')) return [];
  const names = call.policy.git.protectedBranches;
  const target = 'jj git';
  const update = (branch: string): RemoteWrite => ({ branch, change: 'update', forcedBy: undefined, target });
  if (options.has('all') || options.has('tracked')) {
    const isThere = (name: string): boolean =>
      call.repo?.refsBelow('refs/heads/') === undefined || call.repo.hasRef(`refs/heads/${name}`);
    return names.filter(isThere).map(update);
  }
  const bookmarks = [
    ...(options.get('bookmark') ?? []),
    ...(options.get('named') ?? []).map((named) => named?.slice(0, named.indexOf('=')) ?? null),
  ];
  if (bookmarks.length === 0 && !['change', 'revisions'].some((name) => options.has(name))) {
    return bookmarksInFront(call).flatMap(({ name, isGone }): readonly RemoteWrite[] => {
      if (isGone) return options.has('deleted') ? [{ ...update(name), change: 'delete' }] : [];
      return options.has('deleted') ? [] : [update(name)];
    });
  }
  return bookmarks.flatMap((bookmark) => (bookmark === null ? [] : namedBy(bookmark, names).map(update)));
}

/** The bookmarks that a pattern names: by its name, or with `*` and `?` those of the protected ones that it fits. */
function namedBy(pattern: string, names: readonly string[]): readonly string[] {
  const text = pattern.replace(/^(?:exact|glob|substring):/, '');
  if (pattern.startsWith('exact:') || !/[*?]/.test(text)) return [text];
  const shape = text
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return names.filter((name) => new RegExp(`^${shape}$`).test(name));
}

const puttingVerbs: ReadonlySet<string> = new Set(['create', 'c', 'set', 's', 'move', 'm']);
const takingVerbs: ReadonlySet<string> = new Set(['delete', 'd']);

/** What the commands in front of a call in the same folder did to bookmarks. */
function bookmarksInFront({
  all,
  invocation,
}: CommandCall): readonly { readonly name: string; readonly isGone: boolean }[] {
  return all.slice(0, all.indexOf(invocation)).flatMap(({ program, argv, cwd }) => {
    const [, group, verb = ''] = argv;
    if (program !== 'jj' || cwd !== invocation.cwd || (group !== 'bookmark' && group !== 'b') || verb === null)
      return [];
    const isGone = takingVerbs.has(verb);
    if (!isGone && !puttingVerbs.has(verb)) return [];
    const { words } = readOptions(argv.slice(3), {
      values: ['revision', 'from', 'to', 'repository'],
      flags: ['allow-backwards', 'quiet'],
      short: { r: 'revision', f: 'from', t: 'to', B: 'allow-backwards', R: 'repository' },
    });
    return words.flatMap((name) => (name === null ? [] : [{ name, isGone }]));
  });
}
