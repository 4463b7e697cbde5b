import { searcherArgument } from './checks/searcher-argument.ts';
import { compileReadily } from './jit.ts';

/** Starts what the command line asks for; `argv` is what follows the program. Each way loads its own code and no more. */
export async function main(argv: readonly string[]): Promise<void> {
  const [command, ...rest] = argv;
  if (command === 'hook' && !asksForHelp(rest)) return (await import('./hook/run.ts')).runHook(rest);
  if (command === 'git-hook' && !asksForHelp(rest)) return (await import('./git-hook/run.ts')).runGitHook(rest);
  compileReadily();
  if (command === searcherArgument) return (await import('./checks/watch-child.ts')).runSearcher();
  return (await import('./cli/program.ts')).runProgram(argv);
}

const asksForHelp = (argv: readonly string[]): boolean => argv.includes('--help') || argv.includes('-h');
