// What an edit costs with a linter behind it: the tool by itself, through the runner that people write in their configs, and
// under cagr, which leaves the runner out.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bunProgram } from '../support/native.mjs';
import { native, node, payload, script, World } from './world.mjs';

const modules = path.resolve(import.meta.dirname, '../../node_modules');

const clean = 'export const one = 1;\n\nexport function twice(n: number): number {\n  return n * 2;\n}\n';
const old = `${clean}\nexport function wait(): void {\n  debugger;\n}\n`;

const biomeConfig = '{ "formatter": { "indentStyle": "space" } }\n';
const rules = "rules: { 'no-debugger': 'error', 'no-var': 'error', eqeqeq: 'error' }";
const eslintPlain = `export default [{ files: ['**/*.js'], ${rules} }];\n`;
const eslintTypes = `import tseslint from 'typescript-eslint';
export default tseslint.config(...tseslint.configs.recommended, { ${rules} });
`;

const stack = (command, more = '') => `${more}[stacks.code]
paths = ["**"]
extensions = ["ts", "js"]
on_edit = ["${command} {files}"]
`;

/** What is measured: a tool, how it is called, and the file that was edited. */
const tools = [
  {
    name: 'Biome',
    call: 'biome check --write --no-errors-on-unmatched',
    file: 'src/a.ts',
    config: ['biome.json', biomeConfig],
  },
  { name: 'ESLint', call: 'eslint', file: 'src/a.js', config: ['eslint.config.mjs', eslintPlain], isSlow: true },
  {
    name: 'ESLint with typescript-eslint',
    call: 'eslint',
    file: 'src/a.ts',
    config: ['eslint.config.mjs', eslintTypes],
    isSlow: true,
  },
];

/** How many runs a case that takes up to a second is worth. */
const slowRuns = 10;

export function run(bench) {
  const world = new World();
  try {
    const runners = path.join(world.folder, 'runners');
    mkdirSync(runners);
    for (const name of ['bun', 'bunx']) symlinkSync(bunProgram(), path.join(runners, name));
    world.env.PATH = `${world.env.PATH}:${runners}`;
    for (const tool of tools) measureTool(bench, world, tool);
    measureOldFindings(bench, world);
  } finally {
    world.remove();
  }
}

let repos = 0;

/** A repo with the tools of this project in its `node_modules`. */
function makeRepo(world, toml, { config: [configName, configText], file }, text) {
  repos += 1;
  const repo = world.repo(`checks-${repos}`, { config: toml });
  for (const name of ['.bin', '@biomejs', 'eslint', 'typescript-eslint', 'typescript']) {
    symlinkSync(path.join(modules, name), path.join(repo, 'node_modules', name));
  }
  writeFileSync(path.join(repo, 'package.json'), '{ "name": "bench", "version": "1.0.0", "private": true }\n');
  writeFileSync(path.join(repo, configName), configText);
  mkdirSync(path.join(repo, 'src'));
  writeFileSync(path.join(repo, file), text);
  return repo;
}

const afterEdit = (repo, file) =>
  payload(repo, {
    hook_event_name: 'PostToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: path.join(repo, file), old_string: 'a', new_string: 'b' },
    tool_response: { filePath: path.join(repo, file) },
  });

const isSilent = ({ exit, stdout }) => (exit === 0 && stdout === '' ? undefined : 'it said something');
const passes = ({ exit }) => (exit === 0 ? undefined : 'it failed');

function measureTool(bench, world, tool) {
  const { name, call, file, isSlow } = tool;
  const text = file.endsWith('.ts') ? clean : clean.replaceAll(/: \w+/g, '');
  const under = (toml) => {
    const repo = makeRepo(world, toml, tool, text);
    return { ...world.asLine(repo, 'claude', 'file.after_edit'), input: afterEdit(repo, file), expect: isSilent };
  };
  const viaRunner = under(stack(`npx --no-install ${call}`));
  const { cwd, env } = viaRunner;
  const [program, ...args] = call.split(' ');
  const itself = (argv) => ({ argv: [...argv, ...args, file], cwd, env, expect: passes });
  const binary = program === 'biome' ? nativeBiome() : path.join(cwd, 'node_modules/.bin', program);
  const cases = {
    'the program itself': itself([binary]),
    ...(program === 'biome' ? { 'node_modules/.bin': itself([path.join(cwd, 'node_modules/.bin/biome')]) } : {}),
    npx: itself(['npx', '--no-install', program]),
    bunx: itself([path.join(world.folder, 'runners/bunx'), '--no-install', program]),
    'under cagr, configured with npx': viaRunner,
    'under cagr, configured with bunx': under(stack(`bunx --no-install ${call}`)),
    'under cagr on Node': { ...viaRunner, argv: [node, script, 'hook', 'file.after_edit', '--agent', 'claude'] },
    'under cagr, npx not left out': under(stack(`npx --no-install ${call}`, '[checks]\ndirect = false\n')),
    'cagr with nothing to run': under('[git]\nblock_force_push = true\n'),
    'node -e 0': { argv: [node, '-e', '0'], cwd, env },
  };
  const list = Object.entries(cases).map(([title, each]) => ({ ...each, name: title }));
  const measured = bench.measure(list, isSlow ? Math.min(bench.runs, slowRuns) : bench.runs);
  bench.report(name, Object.fromEntries(measured));
  const base = measured.get('the program itself');
  const bare = measured.get('node -e 0');
  bench.show(
    [`${name}: one edited file`, 'ms', 'to the program', 'CPU ms', 'to the program', 'CPU to node -e 0'],
    [...measured].map(([title, { wall, cpu }]) => [
      title,
      wall.toFixed(1),
      (wall / base.wall).toFixed(2),
      cpu.toFixed(1),
      (cpu / base.cpu).toFixed(2),
      (cpu / bare.cpu).toFixed(2),
    ]),
  );
  const line = measured.get('under cagr, configured with npx');
  for (const [key, what] of [
    ['wall', 'ms'],
    ['cpu', 'ms of CPU'],
  ]) {
    const above = line[key] - base[key];
    const limit = 0.25 * bare[key] + 10;
    const verdict = above <= limit ? 'ok' : 'OVER';
    bench.say(
      `Above the program itself: ${above.toFixed(1)} ${what}, at most ${limit.toFixed(1)} (a quarter of a bare Node and 10): ${verdict}`,
    );
  }
}

const nativeBiome = () => path.join(modules, `@biomejs/cli-${process.platform}-${process.arch}/biome`);

/** What it costs to tell new findings from old ones: the hook before the edit, and the one after it. */
function measureOldFindings(bench, world) {
  const tool = { ...tools[0], call: 'biome lint' };
  const cases = [];
  for (const mode of ['all', 'new']) {
    const repo = makeRepo(world, stack(tool.call, `[findings]\nmode = "${mode}"\n`), tool, old);
    const file = path.join(repo, tool.file);
    const call = { tool_name: 'Write', tool_input: { file_path: file, content: '' } };
    const before = payload(repo, { ...call, hook_event_name: 'PreToolUse' });
    world.sh(`printf '%s' '${before}' | "${native}" hook file.before_edit --agent claude`, repo);
    writeFileSync(file, `${old}\nexport const more = 1;\n`);
    cases.push(
      {
        ...world.asLine(repo, 'claude', 'file.before_edit'),
        name: `before the edit, mode = "${mode}"`,
        input: before,
        expect: isSilent,
      },
      {
        ...world.asLine(repo, 'claude', 'file.after_edit'),
        name: `after the edit, mode = "${mode}"`,
        input: afterEdit(repo, tool.file),
        expect: ({ stdout }) =>
          stdout.includes('existing findings') === (mode === 'new') ? undefined : 'it was not told apart',
      },
    );
  }
  const around = { cwd: cases[0].cwd, env: world.env };
  const lint = { ...around, name: 'biome lint by itself', argv: [nativeBiome(), 'lint', tool.file] };
  const measured = bench.measure([...cases, lint]);
  const base = measured.get(lint.name);
  bench.report('old findings', Object.fromEntries(measured));
  bench.show(
    ['an edit beside an old finding (Biome)', 'ms', 'to the program', 'CPU ms', 'to the program'],
    [...measured].map(([title, { wall, cpu }]) => [
      title,
      wall.toFixed(1),
      (wall / base.wall).toFixed(2),
      cpu.toFixed(1),
      (cpu / base.cpu).toFixed(2),
    ]),
  );
}
