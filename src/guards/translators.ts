import { Late } from '../late.ts';
import type { JavaScriptManager, PythonManager } from '../policy/policy.ts';
import type { ArgWord } from '../shell/invocation.ts';
import type { ProjectFacts, Translation } from './manager-commands.ts';
import type { PythonProgram } from './manager-programs.ts';

/** What turns a command of another package manager into one of the repo's own. */
interface Translators {
  /** @param argv the words from the program on */
  javascript(argv: readonly ArgWord[], program: string, to: JavaScriptManager, project: ProjectFacts): Translation;
  /** @param given the words behind the program's name */
  python(given: readonly ArgWord[], from: PythonProgram, to: PythonManager): Translation;
}

/** The options and commands of ten managers, which only a command of another manager than the repo's asks for. */
export const translators = new Late<Translators>(() => import('./translations.ts'));
