import { Late } from '../late.ts';
import type { CodeCommand } from './code-commands.ts';
import type { Language } from './code-languages.ts';
import type { Text } from './text.ts';

/** Finds the commands that a program's text starts; few commands hold a program. */
export const codeReader = new Late<(program: Text, language: Language) => readonly CodeCommand[]>(
  () => import('./code-commands.ts'),
);
