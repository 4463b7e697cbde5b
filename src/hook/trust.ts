import { statSync } from 'node:fs';
import { relativeTo } from '../paths.ts';
import { configuredCommands } from '../policy/commands.ts';
import type { Policy } from '../policy/policy.ts';
import { isStrict, keepTrusted, readTrusted } from '../session/trusted.ts';
import { shownPath } from '../visible-text.ts';
import type { HookContext } from './context.ts';

/** What is known of a config's commands in this session. */
export interface CommandTrust {
  /** Whether a command may run. Only strict trust ever says no. */
  runs(command: string): boolean;
  /** For the human, when commands came or went during the session. */
  readonly notices: readonly string[];
}

/**
 * Compares the commands of a config with those that the session knows. It takes them as they are when it first sees
 * any, and those of a config that has not changed since. Everything else is new, and the human is told.
 */
export function commandTrust(policy: Policy, { session, facts }: Pick<HookContext, 'session' | 'facts'>): CommandTrust {
  const checkout = facts.repo(policy.root)?.top ?? policy.root;
  const now = [...new Set(configuredCommands(policy).map(({ command }) => command))];
  const known = session.knownCommands(policy.root);
  if (known === undefined) {
    session.keepCommands(policy.root, now);
    keepTrusted(checkout, 'session', now);
    if (!isStrict(process.env) || session.knownCommands(policy.root) !== undefined) return quiet;
    return { runs: () => false, notices: now.length === 0 ? [] : [unknown(now)] };
  }
  if (known.here === undefined && !isChangedSince(policy, known.since)) {
    session.keepCommands(policy.root, now);
    return quiet;
  }
  const name = shownPath(relativeTo(checkout, policy.file) ?? policy.file);
  const allowed = readTrusted(checkout, 'person');
  const trusted = new Set([...known.all, ...(allowed && allowed.at >= known.since ? allowed.commands : [])]);
  const added = now.filter((command) => !trusted.has(command));
  const gone = (known.here ?? []).filter((command) => !now.includes(command));
  if (isStrict(process.env) && added.length > 0) {
    if (gone.length > 0)
      session.keepCommands(
        policy.root,
        [...trusted].filter((command) => now.includes(command)),
      );
    return { runs: (command) => !added.includes(command), notices: [waiting(name, added, gone)] };
  }
  if (added.length + gone.length === 0) return quiet;
  session.keepCommands(policy.root, now);
  return { runs: () => true, notices: [changed(name, added, gone)] };
}

const quiet: CommandTrust = { runs: () => true, notices: [] };

function isChangedSince({ file, extended }: Policy, since: number): boolean {
  return [file, ...extended].some((name) => {
    try {
      return statSync(name).ctimeMs >= since;
    } catch {
      // It went away after it was read.
      return true;
    }
  });
}

const named = (commands: readonly string[]): string => commands.map((command) => `\`${command}\``).join(', ');

function parts(added: readonly string[], gone: readonly string[]): string {
  const texts = [
    ...(added.length > 0 ? [`new: ${named(added)}`] : []),
    ...(gone.length > 0 ? [`gone: ${named(gone)}`] : []),
  ];
  return texts.join('; ');
}

const changed = (file: string, added: readonly string[], gone: readonly string[]): string =>
  `cagr: the commands in ${file} changed during this session (${parts(added, gone)}). They run with your rights; look at them if it was not you.`;

const unknown = (commands: readonly string[]): string =>
  `cagr: the temp folder can't be written to, so nobody knows whether the config changed during this session. With CAGR_TRUST=strict its commands do not run: ${named(commands)}.`;

const waiting = (file: string, added: readonly string[], gone: readonly string[]): string =>
  `cagr: the commands in ${file} changed during this session (${parts(added, gone)}). With CAGR_TRUST=strict the new ones do not run until you run \`cagr trust\` or start a new session.`;
