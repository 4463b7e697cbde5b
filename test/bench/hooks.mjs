// The whole process of every hook: as the line of the hook file, run by the agent's shell, and as the program alone.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { against, peakOf } from './measure.mjs';
import { native, node, payload, script, slowing, World } from './world.mjs';

const toolUse = (tool, input) => ({ hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input });
const bash = (command) => toolUse('Bash', { command, description: 'Run it' });
const edit = (repo, file) => toolUse('Edit', { file_path: path.join(repo, file), old_string: 'a', new_string: 'b' });
const afterEdit = (repo, file) => ({
  ...edit(repo, file),
  hook_event_name: 'PostToolUse',
  tool_response: { filePath: path.join(repo, file) },
});

const isDenied = ({ exit, stdout }) =>
  exit === 0 && /"permissionDecision":\s*"deny"/.test(stdout) ? undefined : 'it was not denied';
const isAllowed = ({ exit, stdout }) => (exit === 0 && !stdout.includes('deny') ? undefined : 'it was not let through');
const isSilent = ({ exit, stdout }) => (exit === 0 && stdout === '' ? undefined : 'it said something');

/** What is measured; `limit` is the most that the line of the hook file may take, in starts of a bare Node. */
const rows = [
  {
    name: 'command.before, allowed',
    event: 'command.before',
    call: () => bash('git push origin feat/a'),
    expect: isAllowed,
    limit: 0.25,
  },
  {
    name: 'command.before, denied',
    event: 'command.before',
    call: () => bash('git push --force origin main'),
    expect: isDenied,
    limit: 0.25,
  },
  {
    name: 'command.before, Codex',
    event: 'command.before',
    agent: 'codex',
    call: () => bash('git push origin feat/a'),
    expect: isAllowed,
    limit: 0.3,
  },
  {
    name: 'file.before_edit, allowed',
    event: 'file.before_edit',
    call: (repo) => edit(repo, 'src/a.ts'),
    expect: isAllowed,
    limit: 0.25,
  },
  {
    name: 'file.before_edit, denied',
    event: 'file.before_edit',
    call: (repo) => edit(repo, '.env'),
    expect: isDenied,
    limit: 0.25,
  },
  {
    name: 'session.start',
    event: 'session.start',
    call: () => ({ hook_event_name: 'SessionStart', source: 'startup' }),
    expect: isAllowed,
    limit: 0.35,
  },
  {
    name: 'file.after_edit, no checks',
    event: 'file.after_edit',
    call: (repo) => afterEdit(repo, 'README.md'),
    expect: isSilent,
  },
  {
    name: 'turn.end, no edits',
    event: 'turn.end',
    call: () => ({ hook_event_name: 'Stop', stop_hook_active: false }),
    expect: isSilent,
    limit: 0.3,
  },
  {
    name: 'no config above',
    event: 'command.before',
    bare: true,
    call: () => bash('git push --force origin main'),
    expect: isSilent,
    limit: 0.2,
  },
];

const gitHooks = [
  { name: 'git commit-msg', args: ['commit-msg', '.git/message'] },
  {
    name: 'git pre-push',
    args: ['pre-push', 'origin', '../origin.git'],
    input: (world, repo) =>
      `refs/heads/feat/a ${world.sh('git rev-parse HEAD', repo).trim()} refs/heads/feat/a ${'0'.repeat(40)}\n`,
  },
];

export async function run(tools) {
  const world = new World();
  try {
    await measureAll(tools, world);
  } finally {
    world.remove();
  }
}

async function measureAll(tools, world) {
  const packages = world.install('cc-safety-net@2.4.5', `node-linux-${process.arch}@26`);
  if (!packages) tools.say('No registry: without cc-safety-net and the newest Node.');
  const newest = packages && path.join(packages, `node-linux-${process.arch}/bin`);
  const other = packages && path.join(packages, 'cc-safety-net/dist/bin/cc-safety-net.js');
  const repos = {
    native: world.repo('with-native'),
    node: world.repo('with-node', { withNative: false }),
    bare: world.repo('without-config'),
    bareNode: world.repo('without-config-on-node', { withNative: false }),
  };
  for (const repo of [repos.bare, repos.bareNode]) rmSync(path.join(repo, 'cagr.toml'));
  const onNewest = (started) => ({ ...started, env: { ...started.env, PATH: `${newest}:${started.env.PATH}` } });
  const limits = [];
  const table = [];
  const slowed = slowing.filter((variable) => world.env[variable] !== undefined);
  for (const variable of slowed) {
    tools.say(`${variable} is set here, which makes every start of Node slower; \`plain node\` is without it.`);
  }

  for (const { name, event, agent = 'claude', call, expect, bare, limit } of rows) {
    const at = (kind) => (!bare ? repos[kind] : kind === 'native' ? repos.bare : repos.bareNode);
    const started = (kind) => ({
      ...world.asLine(at(kind), agent, event),
      input: payload(at(kind), call(at(kind))),
      expect,
    });
    const alone = (kind, argv) => ({ ...started(kind), argv: [...argv, 'hook', event, '--agent', agent] });
    const cases = [
      ['line', started('native')],
      ['native', alone('native', [native])],
      ['line, Node', started('node')],
      ['Node', alone('node', [node, script])],
      ...(newest
        ? [
            ['line, newest', onNewest(started('node'))],
            ['newest', alone('node', [path.join(newest, 'node'), script])],
          ]
        : []),
      ...(other && event === 'command.before' && agent === 'claude'
        ? [['cc-safety-net', { ...started('node'), argv: [node, other, 'hook', '--claude-code'], expect: undefined }]]
        : []),
    ];
    await add(name, cases, limit);
  }
  writeFileSync(path.join(repos.native, '.git/message'), 'feat: measure\n');
  writeFileSync(path.join(repos.node, '.git/message'), 'feat: measure\n');
  for (const { name, args, input } of gitHooks) {
    const [hook, ...rest] = args;
    const started = (kind) => ({
      argv: [`.githooks/${hook}`, ...rest],
      cwd: repos[kind],
      env: world.env,
      input: input?.(world, repos[kind]) ?? '',
      expect: isSilent,
    });
    const alone = (kind, argv) => ({ ...started(kind), argv: [...argv, 'git-hook', ...args] });
    await add(name, [
      ['line', started('native')],
      ['native', alone('native', [native])],
      ['line, Node', started('node')],
      ['Node', alone('node', [node, script])],
      ...(newest
        ? [
            ['line, newest', onNewest(started('node'))],
            ['newest', alone('node', [path.join(newest, 'node'), script])],
          ]
        : []),
    ]);
  }

  async function add(name, cases, limit) {
    const around = { cwd: repos.native, env: world.env };
    const plain = Object.fromEntries(Object.entries(world.env).filter(([variable]) => !slowing.includes(variable)));
    const measured = tools.measure([
      { name: 'node -e 0', argv: [node, '-e', '0'], ...around },
      ...(slowed.length > 0 ? [{ name: 'plain node', argv: [node, '-e', '0'], ...around, env: plain }] : []),
      ...(newest ? [{ name: 'newest -e 0', argv: [path.join(newest, 'node'), '-e', '0'], ...around }] : []),
      { name: 'sh -c :', argv: ['sh', '-c', ':'], ...around },
      ...cases.map(([title, each]) => ({ ...each, name: title })),
    ]);
    const peaks = {};
    for (const [title, each] of cases) if (!title.startsWith('line')) peaks[title] = await peakOf(each);
    tools.report(name, { ...Object.fromEntries(measured), peaks });
    table.push([name, measured, peaks]);
    if (limit === undefined) return;
    const [line, base, bare] = ['line', 'node -e 0', 'plain node'].map((column) => measured.get(column));
    limits.push({ name, limit, line, base, plain: bare });
  }

  const columns = [
    'node -e 0',
    'plain node',
    'line',
    'native',
    'line, Node',
    'Node',
    'newest -e 0',
    'line, newest',
    'newest',
    'cc-safety-net',
    'sh -c :',
  ].filter((column) => table[0][1].has(column));
  const show = (title, key) =>
    tools.show(
      [title, ...columns],
      table.map(([name, measured]) => {
        const base = measured.get('node -e 0')[key];
        return [
          name,
          ...columns.map((column) => (measured.has(column) ? against(measured.get(column)[key], base) : '')),
        ];
      }),
    );
  show('wall time, ms and ratio to node -e 0', 'wall');
  show('CPU time, ms and ratio to node -e 0', 'cpu');
  tools.show(
    ['peak memory, MB', 'native', 'Node', 'newest', 'cc-safety-net'],
    table.map(([name, , peaks]) => [
      name,
      ...['native', 'Node', 'newest', 'cc-safety-net'].map((column) => peaks[column]?.toFixed(0) ?? ''),
    ]),
  );
  tools.show(
    ['the line of the hook file', 'limit', 'wall', 'CPU', ...(slowed.length > 0 ? ['to plain node', 'CPU'] : [])],
    limits.map(({ name, limit, line, base, plain }) => [
      name,
      limit.toFixed(2),
      ...['wall', 'cpu'].map((key) => {
        const ratio = line[key] / base[key];
        return `${ratio.toFixed(2)} ${ratio <= limit ? 'ok' : 'OVER'}`;
      }),
      ...(plain ? ['wall', 'cpu'].map((key) => (line[key] / plain[key]).toFixed(2)) : []),
    ]),
  );
}
