import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { ConfigError } from '../policy/config-error.ts';
import { register as check } from './check.ts';
import { register as doctor } from './doctor.ts';
import { register as explain } from './explain.ts';
import { register as init } from './init.ts';
import { register as installGitHooks } from './install-git-hooks.ts';
import { paint, talk } from './output.ts';
import { register as review } from './review.ts';
import { register as stats } from './stats.ts';
import { register as sync } from './sync.ts';
import { register as test } from './test.ts';
import { register as trust } from './trust.ts';
import { register as uninstall } from './uninstall.ts';

/** The order of the help. */
const commands = [init, sync, installGitHooks, doctor, explain, stats, test, review, check, trust, uninstall] as const;

/**
 * Everything a person types; `argv` is what follows the program. Exit codes: 0, 1 when a rule failed, 2 for wrong usage, a
 * broken config or a failure of cagr's own.
 */
export async function runProgram(argv: readonly string[]): Promise<void> {
  // Whoever reads stdout may have gone, as in `cagr doctor | head -1`; that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  // What hooks load only when they need it, everything here may ask for.
  await Promise.all([
    import('../guards/blocked-patterns.ts'),
    import('../guards/git-steps.ts'),
    import('../guards/host-calls.ts'),
    import('../guards/listed-files.ts'),
    import('../guards/translations.ts'),
    import('../policy/load.ts'),
    import('../shell/code-texts.ts'),
    import('../shell/rare-writes.ts'),
    import('../shell/task-runs.ts'),
  ]);
  try {
    await createProgram().parseAsync(argv, { from: 'user' });
  } catch (error) {
    process.exitCode = await explainFailure(error, argv.includes('--debug'));
  }
}

function createProgram(): Command {
  const program = new Command('cagr')
    .description(packageJson.description)
    .version(packageJson.version, '-V, --version', 'print the version')
    .option('--debug', 'show where in the code an error comes from')
    .helpOption('-h, --help', 'show help, for a command: its examples too')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({ styleTitle: (title) => paint('bold', title) })
    .showHelpAfterError('`cagr --help` lists the commands and options.')
    .addHelpText(
      'after',
      "\nExamples:\n  cagr init                              # set a repo up\n  cagr explain 'git push origin main'    # what would cagr say?\n  cagr doctor                            # does everything work?\n\nExit codes: 0 all is well, 1 a rule or a check failed, 2 wrong usage or a broken config.",
    )
    .exitOverride();
  for (const register of commands) register(program);
  registerHooks(program);
  return program;
}

/** Hooks are started without any of this; here they only have their help. */
function registerHooks(program: Command): void {
  program
    .command('hook')
    .summary("answer an agent's event; its hook file calls this")
    .description("Reads an agent's JSON on stdin and answers on stdout in that agent's format.")
    .argument('<event>', 'session.start, command.before, file.before_edit, file.after_edit or turn.end')
    .requiredOption('--agent <name>', 'claude or codex')
    .addHelpText(
      'after',
      '\nExamples:\n  echo \'{"tool_name":"Bash","tool_input":{"command":"git push origin main"}}\' | cagr hook command.before --agent claude',
    );
  program
    .command('git-hook')
    .summary('check a commit or a push; the git hooks call this')
    .description('Checks a commit message, or the refs of a push, which git sends on stdin.')
    .argument('<hook>', 'commit-msg or pre-push')
    .argument('[arguments...]', 'the file of the message; or the name and the URL of the remote')
    .addHelpText('after', '\nExamples:\n  cagr git-hook commit-msg .git/COMMIT_EDITMSG');
}

async function explainFailure(error: unknown, isDebug: boolean): Promise<number> {
  // Commander has printed the help or its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (isDebug && error instanceof Error) talk(error.stack ?? error.message);
  else if (error instanceof ConfigError) {
    const { locateMistakes } = await import('../policy/mistakes.ts');
    talk((await locateMistakes(error)).message);
  } else talk(`cagr: ${error instanceof Error ? error.message : String(error)}`);
  return 2;
}
