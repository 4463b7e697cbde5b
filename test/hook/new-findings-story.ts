import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { AgentSession } from '../checks/agent-session.ts';

const top = resolve(import.meta.dirname, '../..');

type Pick = (below: number) => number;

/** Numbers that look random and are the same each time. */
function numbers(seed: number): Pick {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * What breaks a rule, a line each: `debugger` and `==` are errors here, `var` is a warning, and a computed key a hint. No
 * two lines are alike, so that a line says by itself whether it was there before.
 */
const wrongLines: readonly ((mark: string) => string)[] = [
  (mark) => `debugger; // ${mark}`,
  (mark) => `export const equal_${mark} = '${mark}' == String(1);`,
  (mark) => `export var variable_${mark} = 1;`,
  (mark) => `export const key_${mark} = '${mark}'['length'];`,
];

/** A tool whose rules find those lines. */
export interface StoryTool {
  readonly command: string;
  readonly config: readonly [name: string, text: string];
}

const isError = (line: string): boolean => line.startsWith('debugger') || line.startsWith('export const equal_');

const isWrong = (line: string): boolean => isError(line) || /^export (?:var variable_|const key_)/.test(line);

/** The lines between two declarations of a module, where another one may stand. */
function gaps(lines: readonly string[]): readonly number[] {
  return lines.flatMap((line, index) =>
    line === '' && /^(export|const|function|interface|type|debugger)\b/.test(lines[index + 1] ?? '') ? [index + 1] : [],
  );
}

function insert(text: string, line: string, pick: Pick): string {
  const lines = text.split('\n');
  const places = gaps(lines);
  lines.splice(places[pick(places.length)] ?? lines.length, 0, line, '');
  return lines.join('\n');
}

/** One edit as an agent may make it; half of them mend what the agent broke before, if anything. */
function change(text: string, first: ReadonlySet<string>, step: number, pick: Pick): string {
  const lines = text.split('\n');
  const own = lines.findIndex((line) => isWrong(line) && !first.has(line));
  if (own >= 0 && pick(2) === 0) return lines.filter((_, index) => index !== own).join('\n');
  const wrong = lines.flatMap((line, index) => (isWrong(line) ? [index] : []));
  const one = wrong[pick(Math.max(1, wrong.length))];
  switch (pick(6)) {
    case 0:
    case 1:
      return insert(text, wrongLines[pick(wrongLines.length)]?.(`new${step}`) ?? '', pick);
    case 2:
      // Mends what is wrong, be it old or new.
      return one === undefined ? text : lines.filter((_, index) => index !== one).join('\n');
    case 3:
      // Touches a line that is wrong and leaves it wrong: what stands there now is the agent's.
      return one === undefined
        ? text
        : lines.map((line, index) => (index === one ? `${line} // ${step}` : line)).join('\n');
    case 4:
      // Copies a line that may stand twice: then nobody can say which of them was there before.
      return lines[one ?? -1]?.startsWith('debugger') ? insert(text, lines[one ?? -1] ?? '', pick) : text;
    default:
      return insert(text, `export const right${step} = ${step};`, pick);
  }
}

/**
 * A session edits a project with old findings at random; what it is told each time is held against the lines. No old finding
 * ever blocks an edit, every new one does.
 *
 * @param edits how many.
 * @param folder the project's files: those of this folder of our own sources.
 */
export async function tellStory({ command, config }: StoryTool, edits: number, folder = 'src/checks'): Promise<void> {
  const agent = new AgentSession(storyConfig(command));
  try {
    await editAtRandom(agent, config, edits, folder);
  } finally {
    agent.end();
  }
}

const storyConfig = (command: string) =>
  `[findings]\nmode = "new"\n[stacks.ts]\npaths = ["**"]\nextensions = ["ts"]\non_edit = ["${command}"]\non_turn_end = ["${command}"]\n`;

async function editAtRandom(
  here: AgentSession,
  config: StoryTool['config'],
  edits: number,
  folder: string,
): Promise<void> {
  const pick = numbers(11);
  // A busy machine is no part of the story.
  here.time = { each: 30_000, all: 60_000 };
  cpSync(join(top, 'src'), join(here.repo, 'src'), { recursive: true });
  symlinkSync(join(top, 'node_modules'), join(here.repo, 'node_modules'));
  here.write('package.json', '{ "private": true, "type": "module" }\n');
  here.write(...config);
  const names = readdirSync(join(here.repo, folder)).map((name) => `${folder}/${name}`);
  const read = (name: string) => readFileSync(join(here.repo, name), 'utf8');
  for (const [index, name] of names.entries()) {
    for (let count = pick(5); count > 0; count -= 1) {
      here.write(name, insert(read(name), wrongLines[pick(wrongLines.length)]?.(`old${index}_${count}`) ?? '', pick));
    }
  }
  const first = new Map(names.map((name) => [name, new Set(read(name).split('\n'))]));

  const seen = { inherited: 0, fresh: 0, both: 0, clean: 0 };
  const touched = new Set<string>();
  for (let step = 0; step < edits; step += 1) {
    const name = names[pick(names.length)] ?? '';
    const what = `step ${step}, ${name}`;
    await here.aboutToEdit([name]);
    here.write(name, change(read(name), first.get(name) ?? new Set(), step, pick));
    const now = read(name).split('\n');
    const told = await here.edited([name]);
    const wrong = now.filter(isWrong);
    const isTwice = (line: string) => now.indexOf(line) !== now.lastIndexOf(line);
    const fresh = wrong.filter((line) => !first.get(name)?.has(line) || isTwice(line));
    const inherited = wrong.length - fresh.length;
    const leftOut = `${inherited} existing findings in this file were left out; they were there before you started.`;
    if (!wrong.some(isError)) {
      seen.clean += 1;
      expect(told, what).toEqual({ kind: 'allow' });
    } else if (fresh.length === 0) {
      seen.inherited += 1;
      expect(told, what).toEqual({ kind: 'allow', context: leftOut });
    } else {
      seen[inherited > 0 ? 'both' : 'fresh'] += 1;
      const reason = told.kind === 'block' ? told.reason : '';
      expect(reason, what).toMatch(/^Your edit has problems\. Fix them now\.\n\n## /);
      if (inherited > 0) {
        expect(reason.endsWith(`\n\n${leftOut}`), what).toBe(true);
        const places = [...reason.matchAll(/^src\/\S+?:(\d+):\d+ /gm)].map(([, line]) => now[Number(line) - 1]);
        expect(places, what).toEqual(now.filter((line) => fresh.includes(line)));
      }
    }
    touched.add(name);
    if (step === edits / 2 - 1 || step === edits - 1) {
      // The end of the turn judges everything, old findings too.
      const failing = [...touched].filter((each) => read(each).split('\n').some(isError));
      const stop = await here.stop();
      expect(stop.kind, `${what}, at the end of the turn`).toBe('block');
      expect(failing.length).toBeGreaterThan(0);
    }
  }
  // Every kind of answer was met, or the story proves little.
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0);
}
