import { Late } from '../late.ts';
import type { JavaScriptManager, PythonManager } from '../policy/policy.ts';
import type { ArgWord } from '../shell/invocation.ts';
import type { CommandCall } from './guard.ts';
import type { Translation } from './manager-commands.ts';
import type { PythonProgram } from './manager-programs.ts';

/** A call of some package manager. */
export interface ManagerCall<Program extends string = string> {
  /** The manager's program, as in `python -m pip` → `pip`. */
  readonly program: Program;
  /** The words behind it. */
  readonly given: readonly ArgWord[];
}

/** What turns a call of another package manager into one of the repo's own. */
interface Translators {
  javascript(manager: ManagerCall, to: JavaScriptManager, call: CommandCall): Translation;
  python(manager: ManagerCall<PythonProgram>, to: PythonManager, call: CommandCall): Translation;
}

/** The options and commands of ten managers, which only a command of another manager than the repo's asks for. */
export const translators = new Late<Translators>(() => import('./translations.ts'));
