#!/usr/bin/env node
import { createRequire } from 'node:module';

async function start(): Promise<void> {
  const program = process.argv[1] ?? '';
  // The native executable holds its compiled code.
  if (process.versions.bun === undefined) {
    (await import('./session/code-cache.ts')).keepCompiledCode(program, createRequire(program));
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
