// Which share of edits ESLint compares in time, in files of this project with an old finding in each, under the
// `recommended` rules of typescript-eslint: cold, where no worker runs yet, and warm, where a session has started one.
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { start } from './measure.mjs';
import { native, node, payload, World } from './world.mjs';

const top = path.resolve(import.meta.dirname, '../..');

const config = `import tseslint from 'typescript-eslint';
export default tseslint.config(...tseslint.configs.recommended);
`;

const toml = `[findings]
mode = "new"

[stacks.code]
paths = ["**"]
extensions = ["ts"]
on_edit = ["npx eslint {files}"]
`;

const old = '\nexport function before(value: any): void {\n  void value;\n}\n';

/** Files by their lines. */
const classes = [
  { name: 'up to 100 lines', from: 1, to: 100 },
  { name: '101 to 200', from: 101, to: 200 },
  { name: '201 to 500', from: 201, to: 500 },
  { name: '501 to 1,000', from: 501, to: 1_000 },
  { name: 'above 1,000', from: 1_001, to: Number.POSITIVE_INFINITY },
];

/** How long a session has been going on before its first edit, in ms: an agent reads before it writes. */
const thinking = 5_000;

export async function run(bench) {
  const world = new World();
  let repo;
  try {
    repo = world.repo('eslint', { config: toml });
    for (const name of ['.bin', 'eslint', 'typescript-eslint', 'typescript', 'vitest']) {
      symlinkSync(path.join(top, 'node_modules', name), path.join(repo, 'node_modules', name));
    }
    for (const name of ['src', 'test']) cpSync(path.join(top, name), path.join(repo, name), { recursive: true });
    writeFileSync(path.join(repo, 'package.json'), '{ "name": "bench", "private": true, "type": "module" }\n');
    writeFileSync(path.join(repo, 'eslint.config.js'), config);
    await measureEdits(bench, world, repo);
  } finally {
    if (repo) stopWorkers(world, repo);
    world.remove();
  }
}

async function measureEdits(bench, world, repo) {
  const bare = median(Array.from({ length: 10 }, () => start(asProcess(world, repo, [node, '-e', '0'])).wall));
  const files = filesByClass(repo);
  const cold = Math.ceil(bench.runs / 3);
  const rows = [];
  const figures = {};
  let edits = 0;
  for (const { name, files: inClass } of files) {
    const take = (count) => Array.from({ length: count }, (_, index) => inClass[(index * 7) % inClass.length]);
    const coldEdits = [];
    for (const file of take(cold)) {
      stopWorkers(world, repo);
      edits += 1;
      coldEdits.push(edit(world, repo, file, edits));
    }
    stopWorkers(world, repo);
    start({
      ...world.asLine(repo, 'claude', 'session.start'),
      input: payload(repo, { hook_event_name: 'SessionStart' }),
    });
    await new Promise((resolve) => setTimeout(resolve, thinking));
    const warmEdits = [];
    for (const file of take(bench.runs)) {
      edits += 1;
      warmEdits.push(edit(world, repo, file, edits));
    }
    const memory = memoryOf(world, repo);
    const argv = (file) => [path.join(repo, 'node_modules/.bin/eslint'), file];
    const command = median(take(5).map((file) => start(asProcess(world, repo, argv(file))).wall));
    figures[name] = { command, cold: summary(coldEdits), warm: summary(warmEdits), memory };
    rows.push([name, inClass.length, command.toFixed(0), ...cells(coldEdits), ...cells(warmEdits), memory]);
  }
  bench.report('edits', { bare, ...figures });
  bench.show(
    [
      ...['an edit beside an old finding', 'files', 'eslint alone, ms'],
      ...['cold', 'in time', 'ms', 'warm', 'in time', 'ms', 'worker MB'],
    ],
    rows,
  );
  const most = (kind) => {
    const short = Object.values(figures).slice(0, 3);
    const sum = (key) => short.reduce((total, each) => total + each[kind][key], 0);
    return `${sum('compared')} of ${sum('edits')}`;
  };
  bench.say(`In files of up to 500 lines, ${most('cold')} edits were compared cold and ${most('warm')} warm.`);
  bench.say(`A bare node -e 0 took ${bare.toFixed(0)} ms. The ms are medians of the whole hook after the edit.`);
}

function filesByClass(repo) {
  const all = ['src', 'test']
    .flatMap((folder) => readdirSync(path.join(repo, folder), { recursive: true }).map((name) => `${folder}/${name}`))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .sort();
  const sized = all.map((name) => ({ name, lines: readFileSync(path.join(repo, name), 'utf8').split('\n').length }));
  return classes.map(({ name, from, to }) => ({
    name,
    files: sized.filter(({ lines }) => lines >= from && lines <= to).map((file) => file.name),
  }));
}

const asProcess = (world, repo, argv) => ({ argv, cwd: repo, env: world.env });

/** One edit, as a session of its own: the old finding is there before, the edit adds a line without one. */
function edit(world, repo, name, number) {
  const file = path.join(repo, name);
  const before = readFileSync(file, 'utf8');
  const with_ = before + old;
  writeFileSync(file, with_);
  const call = { session_id: `bench-${number}`, tool_name: 'Write', tool_input: { file_path: file, content: '' } };
  const send = (event, hook) =>
    start({
      ...world.asLine(repo, 'claude', event),
      input: JSON.stringify({ ...JSON.parse(payload(repo, call)), hook_event_name: hook, tool_response: {} }),
    });
  send('file.before_edit', 'PreToolUse');
  writeFileSync(file, `${with_}\nexport const after${number} = ${number};\n`);
  const { wall, stdout } = send('file.after_edit', 'PostToolUse');
  writeFileSync(file, before);
  return { wall, isCompared: stdout.includes('existing findings') };
}

function stopWorkers(world, repo) {
  start(asProcess(world, repo, [native, 'doctor', '--stop-workers']));
}

/** In MB, as the doctor tells it. */
function memoryOf(world, repo) {
  const { stdout } = start(asProcess(world, repo, [native, 'doctor', '--json']));
  const line = JSON.parse(stdout).checks.find(({ name }) => name === 'ESLint worker');
  return Number(/(\d+) MB/.exec(line?.text ?? '')?.[1] ?? 0);
}

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const summary = (edits) => ({
  edits: edits.length,
  compared: edits.filter(({ isCompared }) => isCompared).length,
  ms: median(edits.map(({ wall }) => wall)),
});

function cells(edits) {
  const { edits: count, compared, ms } = summary(edits);
  return [`${compared}/${count}`, `${((100 * compared) / count).toFixed(0)} %`, ms.toFixed(0)];
}
