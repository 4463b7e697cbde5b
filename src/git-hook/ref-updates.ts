/** One line of what git tells pre-push: what goes where. */
export interface RefLine {
  /** As the person named it (`HEAD`, `refs/heads/x`, an object id), or `(delete)`. */
  readonly localRef: string;
  /** `undefined` when the remote ref is to be deleted. */
  readonly localOid: string | undefined;
  /** The full name at the remote: `refs/heads/main`. */
  readonly remoteRef: string;
  /** `undefined` when the remote has no such ref yet. */
  readonly remoteOid: string | undefined;
}

/**
 * Reads pre-push's stdin (githooks documentation): lines of `<local ref> <local oid> <remote ref> <remote oid>`, where an
 * id of zeros, 40 or 64 of them, stands for nothing. Lines of another shape are left out.
 */
export function readRefLines(text: string): readonly RefLine[] {
  return text.split('\n').flatMap((line) => {
    // A local "ref" can be any revision that the person wrote, with spaces in it: `HEAD@{1 day ago}`. The others can't.
    const match = /^(.*) ([0-9a-f]{40,64}) (\S+) ([0-9a-f]{40,64})$/.exec(line.trimEnd());
    if (!match) return [];
    const [, localRef = '', localOid = '', remoteRef = '', remoteOid = ''] = match;
    return [{ localRef, localOid: oid(localOid), remoteRef, remoteOid: oid(remoteOid) }];
  });
}

const oid = (text: string): string | undefined => (/^0+$/.test(text) ? undefined : text);
