const scratchFolders: ReadonlySet<string> = new Set(
  'node_modules dist build out target coverage tmp temp logs .cache .next .nuxt .turbo .venv venv __pycache__ .pytest_cache'.split(
    ' ',
  ),
);

/** Whether a folder of this name holds what tools leave behind, and git commonly ignores. */
export const isScratchFolder = (name: string): boolean => scratchFolders.has(name);

/** Whether a path, relative to the top, lies in such a folder or is one. */
export const isInScratch = (path: string): boolean => path.split('/').some(isScratchFolder);
