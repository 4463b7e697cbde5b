// Plays a day with cagr in a scratch repo: every step goes through the hook commands that stand in the agents' own
// files and through real git hooks. Ends with 1 when a step did not go as it should.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { styleText } from 'node:util';

const top = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'cagr-demo-'));
const repo = path.join(folder, 'shop');
const env = {
  PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  HOME: path.join(folder, 'home'),
  TMPDIR: path.join(folder, 'tmp'),
  GIT_CONFIG_NOSYSTEM: '1',
  CLAUDE_PROJECT_DIR: repo,
  NPM_CONFIG_UPDATE_NOTIFIER: 'false',
};
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (format, text) => (colour ? styleText(format, text) : text);
let wrong = 0;

function title(text) {
  console.log(`\n${paint('bold', text)}`);
}

/** Indents a text, and on a terminal breaks its long lines so that they stay below each other. */
function indent(text) {
  const room = process.stdout.isTTY ? Math.max(40, process.stdout.columns - 5) : Number.POSITIVE_INFINITY;
  const lines = text
    .trimEnd()
    .split('\n')
    .flatMap((line) => (line.length <= room ? [line] : broken(line, room)));
  return lines.map((line) => `    ${line}`).join('\n');
}

function broken(line, room) {
  const [start] = /^ *(?:- |\d+\. )?/.exec(line);
  const lines = [];
  for (const word of line.slice(start.length).split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] += ` ${word}`;
    else lines.push((last === undefined ? start : ' '.repeat(start.length)) + word);
  }
  return lines;
}

function result(label, format, text) {
  console.log(`  ${paint(format, label)}\n${indent(text)}`);
}

function check(isRight, what) {
  if (isRight) return;
  wrong += 1;
  console.log(paint('red', `  This is not what should happen: ${what}`));
}

function run(program, args, options = {}) {
  return spawnSync(program, args, { cwd: repo, env, encoding: 'utf8', ...options });
}

function must(program, ...args) {
  const done = run(program, args);
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${done.stderr}${done.stdout}`);
  return done.stdout;
}

function write(name, text) {
  mkdirSync(path.dirname(path.join(repo, name)), { recursive: true });
  writeFileSync(path.join(repo, name), text);
}

const agents = {
  claude: { title: 'Claude Code', file: '.claude/settings.json', edit: 'Edit|Write|MultiEdit|NotebookEdit' },
  codex: { title: 'Codex', file: '.codex/hooks.json', edit: '^(apply_patch|Edit|Write)$' },
};

/** Runs the hook command that stands in the agent's own file, as the agent does, and reads the answer. */
function hook(agent, native, matcher, payload) {
  const { hooks } = JSON.parse(readFileSync(path.join(repo, agents[agent].file), 'utf8'));
  const group = hooks[native].find((entry) => (entry.matcher ?? '') === matcher);
  const common =
    agent === 'codex'
      ? { session_id: 'demo', turn_id: 'turn', model: 'gpt-5.5', permission_mode: 'default' }
      : { session_id: 'demo', permission_mode: 'default', transcript_path: path.join(folder, 'transcript.jsonl') };
  const input = JSON.stringify({ ...common, cwd: repo, hook_event_name: native, ...payload });
  const done = run('sh', ['-c', group.hooks[0].command], { input });
  if (done.status !== 0 || done.stderr) check(false, `exit ${done.status}, stderr ${done.stderr}`);
  const answer = done.stdout ? JSON.parse(done.stdout) : {};
  const inner = answer.hookSpecificOutput ?? {};
  return {
    kind: answer.decision ?? inner.permissionDecision ?? 'allow',
    text: answer.reason ?? inner.permissionDecisionReason ?? inner.additionalContext ?? '',
    notice: answer.systemMessage,
  };
}

function show(agent, what, answer, expected) {
  console.log(`  ${paint('dim', `${agents[agent].title}:`)} ${what}`);
  const format = answer.kind === 'allow' ? 'green' : 'yellow';
  if (answer.text) result(`${answer.kind}, the agent reads`, format, answer.text);
  else console.log(`  ${paint(format, answer.kind)}`);
  if (answer.notice) result('the person reads', 'cyan', answer.notice);
  check(answer.kind === expected, `expected ${expected}`);
}

function command(agent, text, expected) {
  const tool_input = { command: text };
  const answer = hook(agent, 'PreToolUse', agent === 'codex' ? '^Bash$' : 'Bash', { tool_name: 'Bash', tool_input });
  show(agent, paint('bold', text), answer, expected);
}

function edit(agent, native, name, expected) {
  const payload =
    agent === 'codex'
      ? {
          tool_name: 'apply_patch',
          tool_input: { command: `*** Begin Patch\n*** Update File: ${name}\n@@\n-a\n+b\n*** End Patch` },
        }
      : { tool_name: 'Edit', tool_input: { file_path: path.join(repo, name), old_string: 'a', new_string: 'b' } };
  const when = native === 'PreToolUse' ? 'wants to edit' : 'has edited';
  const answer = hook(agent, native, agents[agent].edit, payload);
  show(agent, `${agent === 'codex' ? 'apply_patch ' : ''}${when} ${paint('bold', name)}`, answer, expected);
}

function git(args, expected) {
  console.log(
    `  ${paint('dim', 'anyone:')} ${paint('bold', `git ${args.map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)).join(' ')}`)}`,
  );
  const done = run('git', args);
  result(`exit ${done.status}`, done.status === 0 ? 'green' : 'yellow', done.stdout + done.stderr || '(no output)');
  check((done.status === 0) === (expected === 'passes'), `expected that it ${expected}`);
}

try {
  title('1. A scratch repo: a small TypeScript shop that uses npm and Biome, with a bare remote');
  for (const name of ['shop', 'home', 'tmp']) mkdirSync(path.join(folder, name));
  writeFileSync(
    path.join(folder, 'home/.gitconfig'),
    '[user]\n\tname = Demo\n\temail = demo@example.com\n[init]\n\tdefaultBranch = main\n',
  );
  write(
    'package.json',
    `${JSON.stringify({ name: 'shop', private: true, scripts: { lint: 'biome lint' }, devDependencies: { '@biomejs/biome': '*', cagr: '*' } }, null, 2)}\n`,
  );
  write('package-lock.json', '{ "name": "shop", "lockfileVersion": 3, "packages": {} }\n');
  write('biome.json', '{ "linter": { "rules": { "preset": "recommended" } } }\n');
  write('tsconfig.json', '{ "compilerOptions": { "strict": true } }\n');
  write('.gitignore', 'node_modules\n');
  write('src/cart.ts', 'export const total = (prices: number[]) => prices.reduce((sum, price) => sum + price, 0);\n');
  // What `npm install` would have put there.
  mkdirSync(path.join(repo, 'node_modules/.bin'), { recursive: true });
  symlinkSync(top, path.join(repo, 'node_modules/cagr'));
  symlinkSync(path.join(top, 'node_modules/@biomejs'), path.join(repo, 'node_modules/@biomejs'));
  symlinkSync('../@biomejs/biome/bin/biome', path.join(repo, 'node_modules/.bin/biome'));
  symlinkSync('../cagr/dist/bin.cjs', path.join(repo, 'node_modules/.bin/cagr'));
  must('git', 'init', '-q');
  must('git', 'add', '-A');
  must('git', 'commit', '-qm', 'chore: start the shop');
  must('git', 'init', '-q', '--bare', '../origin.git');
  must('git', 'remote', 'add', 'origin', '../origin.git');
  must('git', 'push', '-q', '-u', 'origin', 'main');
  console.log(`  ${repo}`);

  title('2. cagr init --yes');
  const init = run('node_modules/.bin/cagr', ['init', '--yes']);
  console.log(indent(init.stdout + init.stderr));
  check(init.status === 0, `exit ${init.status}`);
  console.log(paint('dim', '  The team adds two rules of its own to cagr.toml and commits.'));
  const config = readFileSync(path.join(repo, 'cagr.toml'), 'utf8');
  const rules = readFileSync(path.join(import.meta.dirname, 'rules.toml'), 'utf8');
  write('cagr.toml', `${config.replace('# commit_message = ', 'commit_message = ')}\n${rules}`);
  must('git', 'switch', '-qc', 'feat/checkout');
  git(['add', '-A'], 'passes');
  git(['commit', '-qm', 'chore: let cagr keep the rules'], 'passes');

  title('3. A session starts: the agent learns the rules before it slips');
  for (const agent of ['claude', 'codex']) {
    show(agent, 'session starts', hook(agent, 'SessionStart', '', { source: 'startup' }), 'allow');
  }

  title('4. Commands that break a rule do not run; the reason says what to do instead');
  command('claude', 'git push --force origin feat/checkout', 'deny');
  command('codex', "bash -lc 'git switch main && git push'", 'deny');
  command('claude', 'yarn add lodash', 'deny');
  command('codex', 'git commit --no-verify -m "feat: checkout"', 'deny');
  command('claude', 'npx prisma db push --accept-data-loss', 'deny');
  command('claude', 'npm install lodash && git push -u origin feat/checkout', 'allow');

  title('5. Protected files stay as they are');
  edit('claude', 'PreToolUse', '.env', 'deny');
  edit('codex', 'PreToolUse', 'package-lock.json', 'deny');
  edit('codex', 'PreToolUse', 'src/cart.ts', 'allow');

  title('6. An edit that a real Biome check blocks, and the same edit mended');
  write('src/cart.ts', 'export const isFree = (price: number) => {\n  debugger;\n  return price == 0;\n};\n');
  edit('claude', 'PostToolUse', 'src/cart.ts', 'block');
  title('7. The turn can not end on broken code: blocked twice, let go the third time');
  const stop = () => hook('claude', 'Stop', '', { stop_hook_active: false });
  show('claude', 'wants to stop', stop(), 'block');
  show('claude', 'wants to stop', stop(), 'block');
  show('claude', 'wants to stop', stop(), 'allow');
  write('src/cart.ts', 'export const isFree = (price: number) => price === 0;\n');
  edit('claude', 'PostToolUse', 'src/cart.ts', 'allow');
  show('claude', 'wants to stop', stop(), 'allow');

  title('8. The git hooks are the backstop, for any agent and any human');
  must('git', 'add', '-A');
  git(['commit', '-m', 'made it free'], 'is stopped');
  git(['commit', '-qm', 'feat(cart): tell what is free'], 'passes');
  git(['push', 'origin', 'HEAD:main'], 'is stopped');
  git(['push', '-q', '-u', 'origin', 'feat/checkout'], 'passes');
} catch (error) {
  wrong += 1;
  console.error(error);
} finally {
  if (!process.env.KEEP) rmSync(folder, { recursive: true, force: true });
}
console.log(
  wrong === 0
    ? paint('green', '\nThe demo went as it should: what breaks a rule was stopped, everything else went through.')
    : paint('red', `\nThe demo did not go as it should: ${wrong} step${wrong === 1 ? '' : 's'} went wrong.`),
);
process.exitCode = wrong === 0 ? 0 : 1;
