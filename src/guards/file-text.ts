import { isAbsolute, resolveFrom } from '../paths.ts';
import type { ArgWord } from '../shell/invocation.ts';
import type { CommandCall } from './guard.ts';
import { commandWrites } from './writes.ts';

/**
 * The text of a file that a call reads: what it is fed, what the same command wrote into the file before, else what is on
 * the disk. `null` where nobody can say; `undefined` where there is no such file.
 */
export function fileText(file: ArgWord, { invocation, all, facts }: CommandCall): ArgWord | undefined {
  if (file === null) return null;
  if (file === '/dev/null') return '';
  if (file === '-' || file === '/dev/stdin') return invocation.stdin ?? null;
  if (invocation.cwd === null && !isAbsolute(file)) return null;
  const path = resolveFrom(invocation.cwd ?? '/', file);
  const said = invocation.files?.get(path);
  if (said !== undefined) return said;
  const before = all.slice(0, Math.max(0, all.indexOf(invocation)));
  const isWritten = before.some((one) => commandWrites(one).some((write) => write.path === path));
  return isWritten ? null : facts.readText(path);
}
