// How much more a hook takes when something is large: the native executable alone, against the same call where all is small.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { against, peakOf, start } from './measure.mjs';
import { native, ordinary, payload, World } from './world.mjs';

const numbers = (count) => Array.from({ length: count }, (_, index) => index);
const bash = (repo, command) =>
  payload(repo, { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } });
const edit = (repo, file) =>
  payload(repo, {
    hook_event_name: 'PreToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: path.join(repo, file), old_string: 'a', new_string: 'b' },
  });

/** Commands that are listed, and code rules: 500 in all. */
const rules = numbers(250)
  .map(
    (index) =>
      `[[commands.blocked]]\ncommand = "tool${index} deploy"\nreason = "Number ${index}."\n\n[[rules]]\nid = "rule-${index}"\npattern = 'forbidden${index}\\('\npaths = ["src/part${index}/**"]\nmessage = "Leave it out."\n`,
  )
  .join('\n');
const withoutBlocked = ordinary.replace(/\[commands\]\nblocked = .*\n/, '');
const globs = numbers(2_000).map((index) => `generated/part-${index}/**/*.{ts,tsx}`);
const withGlobs = ordinary.replace('".env*"', `".env*", ${globs.map((glob) => `"${glob}"`).join(', ')}`);

const line = (length, word) => `${word} `.repeat(Math.ceil(length / (word.length + 1)));
const patch = (lines) =>
  `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/a.ts\n@@\n${numbers(lines)
    .map((index) => `${index % 2 ? '-' : '+'}const line${index} = ${index};`)
    .join('\n')}\n*** End Patch\nEOF`;

export async function run(tools) {
  const world = new World();
  try {
    await measureAll(tools, world);
  } finally {
    world.remove();
  }
}

async function measureAll(tools, world) {
  const small = world.repo('small');
  const many = world.repo('rules', { config: `${withoutBlocked}\n${rules}` });
  const wide = world.repo('globs', { config: withGlobs });
  const large = world.repo('files');
  for (const folder of numbers(200)) {
    const name = path.join(large, `src/part-${folder}`);
    mkdirSync(name, { recursive: true });
    for (const file of numbers(1_000)) writeFileSync(path.join(name, `file-${file}.ts`), '');
  }
  world.sh('git add -A', large);
  const settings = world.repo('settings');
  const entries = numbers(3_000).map(
    (index) => `[branch "topic-${index}"]\n\tremote = origin\n\tmerge = refs/heads/topic-${index}\n`,
  );
  writeFileSync(path.join(settings, '.git/config'), entries.join(''), { flag: 'a' });

  const call = (repo, event, input, agent = 'claude') => ({
    argv: [native, 'hook', event, '--agent', agent],
    cwd: repo,
    env: world.env,
    input,
  });
  const push = 'git push origin feat/a';
  const before = (repo, command) => call(repo, 'command.before', bash(repo, command));
  const heredoc = (bytes) => `cat > notes.txt <<'EOF'\n${'A line of plain text in a heredoc.\n'.repeat(bytes / 35)}EOF`;
  const rows = [
    ['500 rules', before(small, push), before(many, push)],
    [
      '500 rules, an edit',
      call(small, 'file.before_edit', edit(small, 'src/a.ts')),
      call(many, 'file.before_edit', edit(many, 'src/a.ts')),
    ],
    [
      '2,000 globs, an edit',
      call(small, 'file.before_edit', edit(small, 'src/a.ts')),
      call(wide, 'file.before_edit', edit(wide, 'src/a.ts')),
    ],
    ['200,000 files', before(small, push), before(large, push)],
    ['200,000 files, rm of a glob', before(small, 'rm -f src/part-1/*.tmp'), before(large, 'rm -f src/part-1/*.tmp')],
    ['a heredoc of 1 MB', before(small, heredoc(350)), before(small, heredoc(1_050_000))],
    ['a patch of 20,000 lines', before(small, patch(20)), before(small, patch(20_000))],
    ['3,000 sections of git config', before(small, push), before(settings, push)],
  ];
  /** Floods: 1 MB against half of it. */
  const floods = [
    ['1 MB of words', (bytes) => `echo ${line(bytes, 'word')}`],
    ['1 MB of statements', (bytes) => 'echo a\n'.repeat(bytes / 7)],
    ['1 MB of calls of git', (bytes) => 'git status\n'.repeat(bytes / 11)],
    ['1 MB of quotes', (bytes) => `echo ${line(bytes, '"a$b"')}`],
  ].map(([name, text]) => [name, before(small, text(500_000)), before(small, text(1_000_000))]);

  const table = async (title, cases, limit, runs) => {
    const shown = [];
    for (const [name, one, other] of cases) {
      const measured = tools.measure(
        [
          { name: 'small', ...one },
          { name: 'large', ...other },
        ],
        runs,
      );
      const peak = await peakOf(other);
      tools.report(name, { ...Object.fromEntries(measured), peak });
      const [a, b] = [measured.get('small'), measured.get('large')];
      const ratio = b.cpu / a.cpu;
      shown.push([
        name,
        a.wall.toFixed(1),
        against(b.wall, a.wall),
        a.cpu.toFixed(1),
        against(b.cpu, a.cpu),
        peak?.toFixed(0) ?? '',
        ratio <= limit ? 'ok' : 'OVER',
      ]);
    }
    tools.show([title, 'wall', 'large, ratio', 'CPU', 'large, ratio', 'peak MB', `limit ${limit}`], shown);
  };
  await table('large against small', rows, 2, tools.runs);
  // Twice as much may take twice as long, and a little for the noise.
  await table('1 MB against 0.5 MB', floods, 2.2, Math.max(3, Math.round(tools.runs / 5)));
  await atOnce(tools, world, small);
}

/** 100 hooks at once: none may be lost, and none take long. */
async function atOnce(tools, world, repo) {
  const denied = bash(repo, 'git push --force origin main');
  const argv = [native, 'hook', 'command.before', '--agent', 'claude'];
  start({ argv, cwd: repo, env: world.env, input: denied });
  const begun = performance.now();
  const hooks = await Promise.all(
    numbers(100).map(async () => {
      const child = Bun.spawn(argv, {
        cwd: repo,
        env: world.env,
        stdin: new TextEncoder().encode(denied),
        stdout: 'pipe',
      });
      const answer = await new Response(child.stdout).text();
      await child.exited;
      return { took: performance.now() - begun, isRight: answer.includes('"permissionDecision":"deny"') };
    }),
  );
  const slowest = Math.max(...hooks.map(({ took }) => took));
  const lost = hooks.filter(({ isRight }) => !isRight).length;
  tools.report('100 at once', { slowest, lost });
  tools.say(
    `\n100 hooks at once: ${lost} lost, the slowest after ${slowest.toFixed(0)} ms; ${lost === 0 && slowest <= 2_000 ? 'ok' : 'OVER'} (limit: none, 2000 ms)`,
  );
}
