/** What a file's owner may still do with it once `chmod` changed its mode. */
interface OwnerRights {
  readonly reads: boolean;
  readonly runs: boolean;
}

/** Whether a word of `chmod` is a mode, and no option and no file. */
export const isMode = (word: string): boolean =>
  /^[0-7]{3,4}$/.test(word) || /^[ugoa]*[-+=][rwxXst]*(?:,[ugoa]*[-+=][rwxXst]*)*$/.test(word);

/** The rights of a file's owner after a mode was set, where he had them before. Source: chmod(1) of GNU coreutils 9. */
export function ownerRights(mode: string): OwnerRights {
  return { reads: keeps(mode, 'r', 4), runs: keeps(mode, 'x', 1) };
}

function keeps(mode: string, right: 'r' | 'x', bit: number): boolean {
  if (/^[0-7]+$/.test(mode)) return (Number.parseInt(mode.at(-3) ?? '', 8) & bit) !== 0;
  return mode.split(',').every((clause) => {
    const [, who = '', sign = '', rights = ''] = /^([ugoa]*)([-+=])(.*)$/.exec(clause) ?? [];
    const meansOwner = who === '' || who.includes('u') || who.includes('a');
    if (!meansOwner || sign === '+') return true;
    // `X` runs what someone could run before.
    const isNamed = rights.includes(right) || (right === 'x' && sign === '=' && rights.includes('X'));
    return sign === '-' ? !isNamed : isNamed;
  });
}
