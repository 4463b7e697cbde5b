#!/usr/bin/env node
import * as nodeModule from 'node:module';

async function start(): Promise<void> {
  // Node 22 and later can keep compiled code between runs. The native executable holds its own.
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  if (enableCompileCache && process.versions.bun === undefined) {
    (await import('./session/code-cache.ts')).keepCompiledCode(enableCompileCache);
  }
  const { main } = await import('./main.ts');
  await main(process.argv.slice(2));
}

// The launcher keeps a person's options for Node from this process; what is started from here gets them.
if (process.env.CAGR_NODE_OPTIONS !== undefined) {
  const { CAGR_NODE_OPTIONS: options, ...others } = process.env;
  process.env = { ...others, NODE_OPTIONS: options };
}

void start();
