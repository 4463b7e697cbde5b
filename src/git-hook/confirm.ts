import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';

const patience = 60_000;

/**
 * Puts a question to the person at the controlling terminal, and waits at most a minute. `undefined`: there is no terminal
 * to ask at, or this process is in its background, where reading would stop the process.
 */
export async function confirmAtTerminal(question: string): Promise<boolean | undefined> {
  const terminal = openTerminal();
  if (terminal === undefined) return;
  if (!isInForeground()) {
    closeSync(terminal);
    return;
  }
  writeSync(terminal, question);
  const answer = await readLine(terminal);
  if (answer === undefined) writeSync(2, '\n');
  return /^y(?:es)?$/i.test(answer?.trim() ?? '');
}

function openTerminal(): number | undefined {
  try {
    return openSync('/dev/tty', 'r+');
  } catch {
    // ENXIO or ENOENT: no controlling terminal.
    return;
  }
}

/** Whether this process group is the one that the terminal listens to. */
function isInForeground(): boolean {
  const [group, foreground] = processGroups();
  return group !== undefined && group === foreground;
}

function processGroups(): readonly (string | undefined)[] {
  try {
    // proc(5): after the name in parentheses come state, ppid, pgrp, session, tty_nr, tpgid.
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [fields[2], fields[5]];
  } catch {
    // No /proc on macOS.
    const { stdout } = spawnSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' });
    return (stdout || '').trim().split(/\s+/);
  }
}

/** One line, or `undefined` when the time is over or the terminal is closed. Takes over the descriptor. */
function readLine(descriptor: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const stream = new ReadStream(descriptor);
    let text = '';
    const settle = (line: string | undefined) => {
      clearTimeout(timer);
      stream.removeAllListeners();
      stream.destroy();
      resolve(line);
    };
    const timer = setTimeout(() => settle(undefined), patience);
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end >= 0) settle(text.slice(0, end));
    });
    stream.on('end', () => settle(undefined));
    stream.on('error', () => settle(undefined));
  });
}
