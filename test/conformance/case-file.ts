import { readFileSync } from 'node:fs';

/** One fenced block of a case: its word, its options, its text. */
export interface Step {
  readonly word: string;
  readonly options: Readonly<Record<string, string>>;
  readonly text: string;
  readonly line: number;
}

/** One case of a Markdown file: a heading, the ids that it proves, the agents it runs for, and its steps. */
export interface ConformanceCase {
  readonly title: string;
  readonly proves: readonly string[];
  readonly agents: readonly AgentName[];
  readonly steps: readonly Step[];
}

export type AgentName = 'claude' | 'codex' | 'git';

const words = new Set([
  'toml', // writes cagr.toml, or the file named by `file=`
  'file', // writes the file named by `path=`
  'sh', // runs in the repo with bash; must end with 0 or with `exit=`
  'output', // what the last sh printed
  'start', // session.start
  'command', // command.before: the text is the command
  'edit', // file.before_edit: a line per file, `update|add|delete PATH` or `move PATH -> PATH`
  'edited', // file.after_edit, the same lines
  'stop', // turn.end
  'payload', // the text is the JSON to send to `event=`
  'deny',
  'block',
  'ask',
  'allow', // an empty one is a silent allow: nothing on stdout
  'context',
  'notice',
  'raw', // the JSON on stdout as it stands
]);

/**
 * Reads the cases of a Markdown file. Blocks above the first case are the first steps of every case. Throws on a block that
 * the runner doesn't know, so that no line goes unread.
 */
export function readCases(file: string): ConformanceCase[] {
  const cases: { title: string; proves: string[]; agents: AgentName[]; steps: Step[] }[] = [];
  const shared: Step[] = [];
  const lines = readFileSync(file, 'utf8').split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const current = cases.at(-1);
    if (line.startsWith('## '))
      cases.push({ title: line.slice(3), proves: [], agents: ['claude', 'codex'], steps: [...shared] });
    else if (line.startsWith('Proves ')) current?.proves.push(...(line.match(/R\d{3}/g) ?? []));
    else if (line.startsWith('Agents: ')) {
      current?.agents.splice(0, 9, ...(line.slice(8).split(', ') as AgentName[]));
    } else if (line.startsWith('```')) {
      const fence = /^`+/.exec(line)?.[0] ?? '```';
      const [word = '', ...rest] = line.slice(fence.length).split(' ');
      if (!words.has(word)) throw new Error(`${file}:${index + 1}: unknown block "${line}"`);
      const text: string[] = [];
      const start = index;
      for (index += 1; index < lines.length && lines[index] !== fence; index += 1) text.push(lines[index] ?? '');
      (current?.steps ?? shared).push({
        word,
        options: Object.fromEntries(rest.map((option) => option.split('=', 2) as [string, string])),
        text: text.join('\n'),
        line: start + 1,
      });
    }
  }
  return cases;
}
