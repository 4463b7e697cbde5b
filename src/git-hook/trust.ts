import { isStrict, readTrusted } from '../session/trusted.ts';
import { agentMarker } from './agent-markers.ts';

/**
 * Those of some configured commands that an agent may not start with its own `git push` or `cagr review` under strict trust:
 * neither the newest session of the checkout found them at its start, nor did a person let them run since.
 */
export function untrustedCommands(checkout: string, commands: readonly string[]): readonly string[] {
  if (!isStrict(process.env) || agentMarker(process.env) === undefined) return [];
  const started = readTrusted(checkout, 'session');
  if (started === undefined) return [];
  const allowed = readTrusted(checkout, 'person');
  const trusted = [...started.commands, ...(allowed && allowed.at >= started.at ? allowed.commands : [])];
  return commands.filter((command) => !trusted.includes(command));
}

/** Why a command does not run, behind its name or a word for it. */
export const untrustedReason =
  'came into the config during an agent session, and with CAGR_TRUST=strict it does not run. A person lets it run with `cagr trust`.';

/** For a command that does not run. */
export const untrusted = (command: string): string => `cagr: \`${command}\` ${untrustedReason}`;
