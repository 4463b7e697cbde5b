import type { JavaScriptManager, PythonManager } from '../policy/policy.ts';
import type { Survey } from './survey.ts';

/** What is to stand in a new config. */
export interface Proposal {
  /** Whether the config names its schema, by which editors check it. */
  readonly hasSchema: boolean;
  /** One: the manager of the repo. Several: nobody has said yet which one counts. */
  readonly javascript: readonly JavaScriptManager[];
  readonly python: readonly PythonManager[];
  /** Names and globs. */
  readonly protectedBranches: readonly string[];
  readonly blockForcePush: boolean;
  readonly blockHookSkips: boolean;
  readonly conventionalCommits: boolean;
  readonly prePush: readonly string[];
  /** Commands that may be too slow for a push; the config only names them, in a comment. */
  readonly slowPrePush: readonly string[];
  readonly hooksPath: string;
  readonly protectedFiles: readonly string[];
  readonly allowedFiles: readonly string[];
  readonly blockedCommands: readonly string[];
  readonly stacks: readonly ProposedStack[];
  readonly agents: readonly string[];
}

export interface ProposedStack {
  readonly name: string;
  readonly extensions: readonly string[];
  readonly onEdit: readonly string[];
  /** Commands for after an edit that are there, but cost a second, or stop at what the next edit mends. */
  readonly slowOnEdit: readonly string[];
  readonly onTurnEnd: readonly string[];
  /** Commands for the turn's end that are there, but may well take more than the 60 seconds they get. */
  readonly slow: readonly string[];
}

export const usualHooksPath = '.githooks';

/**
 * Nothing is proposed that the repo does not have. What runs on an edit must not take out what the next edit needs, nor
 * stop an agent between two edits of one thought: it formats, and leaves unused imports to the end of the turn.
 */
export function propose(survey: Survey, agents: readonly string[]): Proposal {
  const { scripts, tools, lockFiles, envExamples } = survey;
  return {
    hasSchema: survey.hasSchema,
    javascript: survey.javascript,
    python: survey.python,
    protectedBranches: [survey.mainBranch],
    blockForcePush: true,
    blockHookSkips: true,
    conventionalCommits: survey.hasConventionalCommits,
    prePush: scripts.includes('verify') ? [runScript(survey.javascript[0], 'verify')] : [],
    slowPrePush:
      scripts.includes('test') && !scripts.includes('verify') ? [runScript(survey.javascript[0], 'test')] : [],
    hooksPath: survey.hooksFolder ?? usualHooksPath,
    protectedFiles: ['.env*', ...lockFiles],
    allowedFiles: envExamples.length > 0 ? envExamples : ['.env.example'],
    blockedCommands: tools.has('prisma') ? ['prisma db push'] : [],
    stacks: [javascriptStack(survey), pythonStack(survey)].filter((stack) => stack !== undefined),
    agents,
  };
}

function javascriptStack({ javascript: [manager], tools, scripts }: Survey): ProposedStack | undefined {
  if (manager === 'deno') return denoStack;
  const run = (tool: string): string => runTool(manager, tool);
  const onEdit = javascriptEdits(run, tools);
  const isLinted = scripts.includes('lint');
  const types = ['typecheck', 'type-check', 'check-types', 'check:types', 'types'].find((name) =>
    scripts.includes(name),
  );
  const onTurnEnd = [
    // Not between two edits: the second may use what the first imports.
    ...(tools.has('prettier-organize-imports') && !tools.has('biome') ? [run(prettier)] : []),
    ...(isLinted ? [runScript(manager, 'lint')] : []),
    ...(!isLinted && tools.has('biome') ? [run('biome check --write --no-errors-on-unmatched {files}')] : []),
    ...(!isLinted && tools.has('eslint') ? [run('eslint {files}')] : []),
    ...(types === undefined ? [] : [runScript(manager, types)]),
    ...(types === undefined && tools.has('tsc') ? [run('tsc --noEmit')] : []),
  ];
  if (onEdit.length === 0 && onTurnEnd.length === 0) return;
  return {
    name: tools.has('typescript') ? 'typescript' : 'javascript',
    extensions: [...(tools.has('typescript') ? ['ts', 'tsx', 'mts', 'cts'] : []), 'js', 'jsx', 'mjs', 'cjs'],
    onEdit,
    slowOnEdit: tools.has('eslint') ? [run('eslint {files}')] : [],
    onTurnEnd,
    slow: ['test'].filter((name) => scripts.includes(name)).map((name) => runScript(manager, name)),
  };
}

function javascriptEdits(run: (tool: string) => string, tools: Survey['tools']): readonly string[] {
  if (tools.has('biome')) {
    const skip = tools.has('biome-unused-imports') ? ' --skip=correctness/noUnusedImports' : '';
    return [
      run('biome format --write --no-errors-on-unmatched {files}'),
      run(`biome lint --no-errors-on-unmatched${skip} {files}`),
    ];
  }
  return tools.has('prettier') && !tools.has('prettier-organize-imports') ? [run(prettier)] : [];
}

const prettier = 'prettier --write --ignore-unknown --log-level warn {files}';

const denoStack: ProposedStack = {
  name: 'deno',
  extensions: ['ts', 'tsx', 'mts', 'js', 'jsx', 'mjs'],
  onEdit: ['deno fmt {files}'],
  slowOnEdit: [],
  onTurnEnd: ['deno lint {files}', 'deno check {files}'],
  slow: ['deno test'],
};

function pythonStack({ python: [manager], tools }: Survey): ProposedStack | undefined {
  const run = (tool: string): string => (manager && manager !== 'pip' ? `${manager} run ${tool}` : tool);
  const onEdit = [
    ...(tools.has('ruff')
      ? [run('ruff format --force-exclude {files}'), run('ruff check --force-exclude --ignore F401 {files}')]
      : []),
    ...(!tools.has('ruff') && tools.has('black') ? [run('black --quiet {files}')] : []),
  ];
  const onTurnEnd = [
    ...(tools.has('ruff') ? [run('ruff check --force-exclude {files}')] : []),
    ...(tools.has('mypy') ? [run('mypy {files}')] : []),
    ...(tools.has('pyright') ? [run('pyright {files}')] : []),
  ];
  if (onEdit.length === 0 && onTurnEnd.length === 0) return;
  return { name: 'python', extensions: ['py', 'pyi'], onEdit, slowOnEdit: [], onTurnEnd, slow: [] };
}

type NodeManager = Exclude<JavaScriptManager, 'deno'>;

/**
 * Without `--no-install`, bunx and npx download what is not installed: for `biome` or `tsc` a stranger's package of that
 * name (tried with npm 11 and bun 1.4). pnpm and yarn fail by themselves.
 */
const runners: Readonly<Record<NodeManager, string>> = {
  bun: 'bunx --no-install',
  pnpm: 'pnpm exec',
  yarn: 'yarn',
  npm: 'npx --no-install',
};

const runTool = (manager: NodeManager = 'npm', tool: string): string => `${runners[manager]} ${tool}`;

const runScript = (manager: JavaScriptManager = 'npm', script: string): string =>
  manager === 'deno' ? `deno task ${script}` : `${manager} run ${script}`;
