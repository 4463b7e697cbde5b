import type { Command } from 'commander';
import { agentMarker } from '../git-hook/agent-markers.ts';
import { confirmAtTerminal } from '../git-hook/confirm.ts';
import { policyAt } from '../policy/at.ts';
import { configuredCommands } from '../policy/commands.ts';
import { keepTrusted } from '../session/trusted.ts';
import { result, talk } from './output.ts';
import { findPlace, noConfig } from './target.ts';

/** `cagr trust` */
export function register(program: Command): void {
  program
    .command('trust')
    .summary('let commands run that came into the config during a session')
    .description(
      'With CAGR_TRUST=strict in your environment, commands that come into the config while an agent works do not run in that session. This lets the commands run that the config holds now, and lists them.',
    )
    .addHelpText('after', '\nExamples:\n  cagr trust')
    .action(trust);
}

async function trust(): Promise<void> {
  const folder = process.cwd();
  const { top } = findPlace(folder);
  const policies = [policyAt(folder), policyAt(top)].filter((policy) => policy !== undefined);
  if (policies.length === 0) {
    talk(noConfig);
    process.exitCode = 2;
    return;
  }
  const entries = new Map(
    policies.flatMap(configuredCommands).map((entry) => [`${entry.key}: ${entry.command}`, entry]),
  );
  const list = [...entries.keys()].map((line) => `  ${line}`).join('\n');
  if (entries.size === 0) {
    result('The config names no commands.');
    return;
  }
  const marker = agentMarker(process.env);
  if (marker !== undefined) {
    const question = `${list}\ncagr: ${marker} says that an agent may have started this.\nLet these commands run? Only a person may say so. [y/N] `;
    if ((await confirmAtTerminal(question)) !== true) {
      talk(
        `cagr: ${marker} says that an agent runs this command. A person runs \`cagr trust\` in a terminal of their own.`,
      );
      process.exitCode = 1;
      return;
    }
  }
  const commands = [...new Set([...entries.values()].map(({ command }) => command))];
  if (!keepTrusted(top, 'person', commands)) {
    talk("The temp folder can't be written to, so this can't be kept.");
    process.exitCode = 2;
    return;
  }
  result(`These commands of the config may run in this checkout, also in sessions that run now:\n${list}`);
}
