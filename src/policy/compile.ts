import type { Action, RuleId } from '../rules.ts';
import { agentNames } from './agent-names.ts';
import { branchMatcher, pathMatcher } from './globs.ts';
import { codePattern, conventional, namePattern } from './patterns.ts';
import type { BlockedCommand, CodeRule, NamePattern, Policy, Stack } from './policy.ts';
import type { Config } from './schema.ts';

/** Turns a valid config into the one thing that the rest of cagr sees. `root` is the config's folder; all paths are absolute. */
export function compile(
  config: Config,
  { root, file, extended = [] }: { root: string; file: string; extended?: readonly string[] },
): Policy {
  const { git } = config;
  const protectedBranches = [git.protected_branch ?? []].flat();
  const actionOf: Readonly<Record<string, Action | undefined>> = config.actions;
  const onErrorOf: Readonly<Record<string, 'allow' | 'deny' | undefined>> = config.on_error;
  const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
    Object.hasOwn(table, key) ? table[key] : undefined;
  return freeze<Policy>({
    root,
    file,
    extended,
    brief: config.brief,
    packageManagers: {
      javascript: config.package_managers.javascript,
      python: config.package_managers.python,
    },
    git: {
      protectedBranches,
      isProtected: branchMatcher(protectedBranches),
      branchName: compileName(git.branch_name),
      commitMessage: compileName(git.commit_message === conventional.name ? conventional : git.commit_message),
      blockForcePush: git.block_force_push,
      blockHookSkips: git.block_hook_skips,
      worktreeOnly: git.worktree_only,
      blockProtectedCommits: git.block_protected_commits,
      hooksPath: git.hooks_path
        .split('/')
        .filter((part) => part !== '' && part !== '.')
        .join('/'),
      prePush: git.pre_push,
      skipEnv: git.skip_env,
    },
    files: {
      protected: pathMatcher(config.files.protected),
      allow: pathMatcher(config.files.allow),
      selfProtection: config.files.self_protection,
    },
    commands: { blocked: config.commands.blocked.map(compileBlocked) },
    stacks: Object.entries(config.stacks).map(([name, stack]) => compileStack(name, stack)),
    rules: config.rules.map(compileRule),
    review: {
      required: config.review.required,
      command: config.review.command,
      timeout: config.review.timeout,
      base: config.review.base,
    },
    pullRequest: {
      headings: config.pull_request.headings.map((heading) => heading.trim()),
      agentsMayApprove: config.pull_request.agents_may_approve,
    },
    findings: { mode: config.findings.mode, worker: config.findings.worker },
    stats: { enabled: config.stats.enabled },
    checks: { direct: config.checks.direct },
    tests: config.tests.map(({ command, file: path, expect, rule }) => ({
      command,
      file: path,
      expect,
      // Validation has seen that there is such a rule.
      rule: rule as RuleId | undefined,
    })),
    action: (rule: RuleId) => own(actionOf, rule) ?? actionOf.default,
    onError: (rule: RuleId) => own(onErrorOf, rule) ?? 'allow',
    agents: agentNames.filter((name) => config.agents[name]),
  });
}

function compileName(
  value:
    | string
    | { readonly pattern: string; readonly example?: string | undefined; readonly name?: string }
    | undefined,
): NamePattern | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return { pattern: namePattern(value), source: value, example: undefined };
  return { pattern: namePattern(value.pattern), source: value.name ?? value.pattern, example: value.example };
}

function compileBlocked(entry: Config['commands']['blocked'][number]): BlockedCommand {
  const { command, reason, instead } =
    typeof entry === 'string' ? { command: entry } : { reason: undefined, instead: undefined, ...entry };
  const words = command.trim().split(/\s+/);
  return {
    command: words.join(' '),
    words: words.filter((word) => !word.startsWith('-')),
    options: words.filter((word) => word.startsWith('-')),
    reason,
    instead,
  };
}

function compileStack(name: string, stack: Config['stacks'][string]): Stack {
  const paths = pathMatcher(stack.paths);
  const extensions = stack.extensions.map((extension) => extension.replace(/^\./, '').toLowerCase());
  const endings = extensions.map((extension) => `.${extension}`);
  const hasExtension = (path: string): boolean => {
    const lower = path.toLowerCase();
    return endings.some((ending) => lower.endsWith(ending));
  };
  return {
    name,
    paths,
    extensions,
    onEdit: stack.on_edit,
    onTurnEnd: stack.on_turn_end,
    covers: (path) => (endings.length === 0 || hasExtension(path)) && paths.match(path) !== undefined,
  };
}

function compileRule({ id, pattern, message, ...globs }: Config['rules'][number]): CodeRule {
  const paths = pathMatcher(globs.paths);
  const exclude = pathMatcher(globs.exclude);
  return {
    id,
    pattern: codePattern(pattern),
    source: pattern,
    paths,
    exclude,
    message,
    covers: (path) => paths.match(path) !== undefined && exclude.match(path) === undefined,
  };
}

/** Freezes data all the way down. A regular expression stays open: a search writes to its `lastIndex`. */
function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof RegExp || Object.isFrozen(value)) return value;
  for (const below of Object.values(value)) freeze(below);
  return Object.freeze(value);
}
