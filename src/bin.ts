#!/usr/bin/env node
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { stateFolder } from './session/folder.ts';

// Node 22 and later keep compiled code between runs; older ones have no such function, and the native executable holds
// its own. The folder is cagr's private one, for what others could write to must not run; where no hook has made it yet,
// as without any config, nothing is kept.
const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
if (enableCompileCache && process.versions.bun === undefined) {
  const folder = stateFolder(false);
  if (folder !== undefined) enableCompileCache(join(folder, 'code'));
}

// The launcher keeps a person's options for Node from this process; what is started from here gets them.
const { CAGR_NODE_OPTIONS: options, ...others } = process.env;
if (options !== undefined) process.env = { ...others, NODE_OPTIONS: options };

void import('./main.ts').then(({ main }) => main(process.argv.slice(2)));
