import { join } from 'node:path';
import { stateFolder } from './folder.ts';

/**
 * Lets Node keep the compiled code of the modules that are loaded from now on; `enable` is its own `enableCompileCache`.
 * It goes into cagr's private folder, for what others could write to must not run; where no hook has made that yet, as
 * without any config, nothing is kept.
 */
export function keepCompiledCode(enable: (folder: string) => unknown): void {
  const folder = stateFolder(false);
  if (folder !== undefined) enable(join(folder, 'code'));
}
