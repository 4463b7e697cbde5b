#!/usr/bin/env node
import * as nodeModule from 'node:module';

// Node 22 and later keep compiled code between runs; older ones have no such function.
const { enableCompileCache } = nodeModule as { enableCompileCache?: () => unknown };
enableCompileCache?.();

void import('./main.ts').then(({ main }) => main(process.argv.slice(2)));
