import { realpathSync } from 'node:fs';
import type { AgentCall, CommandInput } from '../agents/adapter.ts';
import { dirname, resolveFrom, toPosix } from '../paths.ts';
import { findConfig } from '../policy/find.ts';

/**
 * The call, if a config may have a say in it: one stands above the folder it starts from, above one of its files, or above
 * a folder that a command's text leads to. The end of a turn is always covered, since files of another folder may have been
 * edited. Where a config stands only above the folder that a link leads to, the call is as from there.
 */
export function coveredCall(call: AgentCall): AgentCall | undefined {
  const { event, cwd, commands, edits } = call;
  if (findConfig(cwd) !== undefined) return call;
  const real = realPath(cwd);
  if (real !== undefined && real !== cwd && findConfig(real) !== undefined) return { ...call, cwd: real };
  if (event === 'turn.end') return call;
  const folders = new Set(edits.map((edit) => dirname(resolveFrom(cwd, edit.path))));
  const isCovered =
    [...folders].some(leadsToConfig) || commands.some((command) => placesIn(command, cwd).some(leadsToConfig));
  return isCovered ? call : undefined;
}

function leadsToConfig(folder: string): boolean {
  if (findConfig(folder) !== undefined) return true;
  const real = realPath(folder);
  return real !== undefined && real !== folder && findConfig(real) !== undefined;
}

/** How much of a command, in UTF-16 units, and how many of its words are looked at for places. */
const searchedText = 20_000;
const searchedWords = 200;

/**
 * The places that words of a command may name, however it means them, for a command that starts where no config holds:
 * `cd /repo && …`, `git -C ../repo …`. Only such places are read as commands are.
 */
function placesIn(command: CommandInput, cwd: string): readonly string[] {
  const text = 'script' in command ? command.script : command.argv.join(' ');
  const words = new Set(text.slice(0, searchedText).split(/[\s'"`;|&()<>={}\\]+/));
  const home = process.env.HOME;
  return [...words].slice(0, searchedWords).flatMap((word) => {
    const path = home === undefined ? word : word.replace(/^(?:~|\$HOME)(?=\/|$)/, () => home);
    return path === '' || path.startsWith('-') ? [] : [resolveFrom(cwd, path)];
  });
}

/** `undefined` for what is not there. */
function realPath(path: string): string | undefined {
  try {
    return toPosix(realpathSync.native(path));
  } catch {
    return undefined;
  }
}
