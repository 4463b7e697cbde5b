import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { AgentSession } from '../checks/agent-session.ts';

const top = resolve(import.meta.dirname, '../..');

let agent: AgentSession | undefined;
afterEach(() => agent?.end());

/** Numbers that look random and are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Puts a line between two declarations of a module. */
function insert(text: string, line: string, pick: (below: number) => number): string {
  const lines = text.split('\n');
  const places = lines.flatMap((_, index) =>
    lines[index] === '' && /^(export|const|function|interface|type) /.test(lines[index + 1] ?? '') ? [index] : [],
  );
  lines.splice((places[pick(places.length)] ?? 0) + 1, 0, line, '');
  return lines.join('\n');
}

it('60 edits of a project with old findings: no old one ever blocks, every new one does', async () => {
  const pick = numbers(7);
  const command = 'npx biome lint {files}';
  agent = new AgentSession(
    `[findings]\nmode = "new"\n[stacks.ts]\npaths = ["**"]\nextensions = ["ts"]\non_edit = ["${command}"]\n`,
  );
  const here = agent;
  // A busy machine is no part of the story.
  here.time = { each: 30_000, all: 60_000 };
  cpSync(join(top, 'src'), join(here.repo, 'src'), { recursive: true });
  symlinkSync(join(top, 'node_modules'), join(here.repo, 'node_modules'));
  const rules = '{ "suspicious": { "noDebugger": "error", "noDoubleEquals": "error" } }';
  here.write('biome.json', `{ "linter": { "rules": { "recommended": false, ${rules.slice(1, -1)} } } }`);
  const names = readdirSync(join(here.repo, 'src/checks')).map((name) => `src/checks/${name}`);
  const read = (name: string) => readFileSync(join(here.repo, name), 'utf8');
  const old = new Map(names.map((name) => [name, pick(3)]));
  for (const [name, count] of old) {
    for (let index = 0; index < count; index += 1) {
      here.write(name, insert(read(name), `debugger; // left behind, ${index}`, pick));
    }
  }

  /** The lines that the agent has brought in and that break a rule, by file. */
  const broken = new Map<string, string[]>();
  for (let step = 0; step < 60; step += 1) {
    const name = names[pick(names.length)] ?? '';
    const own = broken.get(name) ?? [];
    const text = read(name);
    let next: string;
    if (own.length > 0 && pick(2) === 0) {
      const gone = own.splice(pick(own.length), 1)[0] ?? '';
      next = text.replace(`${gone}\n\n`, '');
    } else if (pick(3) === 0) {
      const line = `export const wrong${step} = ${step} == Number('${step}');`;
      own.push(line);
      next = insert(text, line, pick);
    } else {
      next = insert(text, `export const right${step} = ${step};`, pick);
    }
    broken.set(name, own);
    await here.aboutToEdit([name]);
    here.write(name, next);
    const told = await here.edited([name]);
    const count = old.get(name) ?? 0;
    const leftOut = `${count} existing findings in this file were left out; they were there before you started.`;
    const what = `step ${step}, ${name}`;
    if (own.length === 0)
      expect(told, what).toEqual(count === 0 ? { kind: 'allow' } : { kind: 'allow', context: leftOut });
    else {
      const reason = told.kind === 'block' ? told.reason : '';
      expect(reason.match(/lint\/suspicious\/noDoubleEquals/g)?.length, what).toBe(own.length);
      if (count > 0) {
        expect(reason.endsWith(leftOut), what).toBe(true);
        expect(reason, what).not.toContain('lint/suspicious/noDebugger');
      }
    }
  }
  expect([...broken.values()].some((lines) => lines.length > 0)).toBe(true);
});
