import {
  array,
  boolean,
  description,
  type GenericSchema,
  type InferOutput,
  metadata,
  number,
  objectWithRest,
  optional,
  picklist,
  pipe,
  rawCheck,
  record,
  strictObject,
  string,
  title,
  union,
} from 'valibot';
import { actions, fixedRuleIds } from '../rules.ts';
import { agentNames } from './agent-names.ts';
import {
  blockedCommandFlaw,
  branchFlaw,
  checkCommandFlaw,
  exampleFlaw,
  extensionFlaw,
  type Flaw,
  globFlaw,
  headingFlaw,
  hooksPathFlaw,
  namePatternFlaw,
  plainCommandFlaw,
  presetFlaw,
  regexFlaw,
  ruleNameFlaw,
  skipVariableFlaw,
  stackNameFlaw,
  testFlaw,
  textFlaw,
  timeoutFlaw,
} from './flaws.ts';

/** What `[actions]` may say of each rule: only an exact translation can be rewritten, and a check has nothing to ask before. */
const guardActions = ['deny', 'ask', 'warn', 'off'] as const;
const checkActions = ['deny', 'warn', 'off'] as const;

/** Adds a judgement of the value to its type; `validate.ts` takes the message apart again. */
const judged = <Value>(judge: (value: NoInfer<Value>) => Flaw | undefined) =>
  rawCheck<Value>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const flaw = judge(dataset.value);
    if (flaw) addIssue({ message: [flaw.problem, flaw.fix, ...(flaw.at ? [flaw.at] : [])].join('\n') });
  });

const text = (doc: string, judge = textFlaw) =>
  pipe(string(), judged(judge), description(doc), metadata({ minLength: 1 }));

const flag = (byDefault: boolean, doc: string) => optional(pipe(boolean(), description(doc)), byDefault);

const list = <const Item extends GenericSchema>(item: Item, doc: string) =>
  optional(pipe(array(item), description(doc)), []);

const glob = pipe(string(), judged(globFlaw), metadata({ minLength: 1 }));
const anyPath = (doc: string) => optional(pipe(array(glob), description(doc)), ['**']);
const checkCommand = pipe(string(), judged(checkCommandFlaw), metadata({ minLength: 1 }));
const plainCommand = pipe(string(), judged(plainCommandFlaw), metadata({ minLength: 1 }));
const line = pipe(string(), judged(textFlaw), metadata({ minLength: 1 }));
const branch = pipe(string(), judged(branchFlaw), metadata({ minLength: 1 }));

const patternTable = pipe(
  strictObject({
    pattern: text('A JavaScript regular expression.', regexFlaw),
    example: optional(text('A text that matches the pattern. Agents and people read it instead of the pattern.')),
  }),
  judged(exampleFlaw),
);

const git = strictObject({
  protected_branch: optional(
    pipe(
      union([branch, array(branch)]),
      description('Branches that nobody pushes to: a name, a glob such as `release/*`, or a list of them.'),
    ),
  ),
  branch_name: optional(
    pipe(
      union([pipe(string(), judged(namePatternFlaw), metadata({ minLength: 1 })), patternTable]),
      description('What pushed branches are called: a pattern, or a table of `pattern` and `example`.'),
    ),
  ),
  commit_message: optional(
    pipe(
      union([pipe(string(), judged(presetFlaw), metadata({ minLength: 1 })), patternTable]),
      description(
        'What commit subjects look like: the preset `conventional`, a pattern, or a table of `pattern` and `example`.',
      ),
    ),
  ),
  block_force_push: flag(false, 'Stops pushes that would drop commits on the remote.'),
  block_hook_skips: flag(false, 'Agents may not use `--no-verify`, set the skip variable or change `core.hooksPath`.'),
  worktree_only: flag(false, 'Agents change nothing in the main checkout, only in linked worktrees.'),
  block_protected_commits: flag(false, 'Stops commits on a protected branch too, not only pushes to it.'),
  hooks_path: optional(
    text('The folder of the committed git hooks, from the top of the repo.', hooksPathFlaw),
    '.githooks',
  ),
  pre_push: list(plainCommand, 'Commands that run in order before a push; the first failure stops it.'),
  skip_env: optional(text('The variable with which a human skips the git hooks once.', skipVariableFlaw), 'CAGR_SKIP'),
});

const files = strictObject({
  protected: list(glob, 'Globs of files that agents may not change. Without `/` a glob matches a file name anywhere.'),
  allow: list(glob, 'Globs of files that are free although `protected` matches them.'),
  self_protection: flag(true, "Agents may not change cagr's own config, hook files and git hooks."),
});

const blockedCommand = union([
  pipe(string(), judged(blockedCommandFlaw), metadata({ minLength: 1 })),
  strictObject({
    command: text('The words of the command, in order; `*` stands for one word.', blockedCommandFlaw),
    reason: optional(text('Why it is blocked, in a sentence.')),
    instead: optional(text('The command to run instead.')),
  }),
]);

const stack = strictObject({
  paths: anyPath('Globs of the files that belong to this stack.'),
  extensions: list(
    pipe(string(), judged(extensionFlaw), metadata({ minLength: 1 })),
    'File extensions that belong to this stack, as in `ts`; none means any.',
  ),
  on_edit: list(checkCommand, 'Commands for each edited file, 10 seconds each; `{files}` stands for the files.'),
  on_turn_end: list(checkCommand, 'Commands for the end of a turn that edited files, 60 seconds each.'),
});

const codeRule = strictObject({
  id: text('The name of the rule, as in `no-focused-tests`; messages call it `code-rule/<id>`.', ruleNameFlaw),
  pattern: text(
    'A JavaScript regular expression that changed files must not match; `^` and `$` hold at each line.',
    regexFlaw,
  ),
  paths: anyPath('Globs of the files that the rule looks at.'),
  exclude: list(glob, 'Globs of files that the rule leaves out.'),
  message: text('What to do instead, as the agent reads it.'),
});

const policyTest = pipe(
  strictObject({
    command: optional(text('A shell command, as an agent would run it.')),
    file: optional(text('The path of a file, as an agent would edit it.')),
    expect: pipe(picklist(['deny', 'ask', 'allow']), description('What cagr is to answer.')),
    rule: optional(text('The id of the rule that is to speak.')),
  }),
  judged(testFlaw),
);

const perRule = <Value extends GenericSchema>(value: (id: (typeof fixedRuleIds)[number]) => Value) =>
  Object.fromEntries(fixedRuleIds.map((id) => [id, optional(value(id))])) as Record<
    (typeof fixedRuleIds)[number],
    ReturnType<typeof optional<Value, undefined>>
  >;

/** `code-rule/<id>` as a key; whether there is such a rule is judged once all files are read. */
const codeRuleKeys = <Value>(values: readonly string[]) =>
  metadata<Value, Record<string, unknown>>({
    patternProperties: { '^code-rule/.': { enum: values } },
    additionalProperties: false,
  });

const allowedActions = (id: (typeof fixedRuleIds)[number]) => {
  if (id === 'package-manager') return actions;
  return id.startsWith('check/') ? checkActions : guardActions;
};

const actionTable = pipe(
  objectWithRest(
    {
      default: optional(
        pipe(
          picklist(actions),
          description('For every rule without an entry. `warn` is a trial run: nothing is stopped.'),
        ),
      ),
      ...perRule((id) => picklist(allowedActions(id))),
    },
    picklist(checkActions),
  ),
  codeRuleKeys(checkActions),
  description('What happens when a rule is broken, by rule id: deny (the default), ask, warn, rewrite or off.'),
);

const failureAnswers = ['allow', 'deny'] as const;

const onErrorTable = pipe(
  objectWithRest(
    perRule(() => picklist(failureAnswers)),
    picklist(failureAnswers),
  ),
  codeRuleKeys(failureAnswers),
  description('What happens when a rule cannot be judged, by rule id: allow (the default) or deny.'),
);

const agentTable = pipe(
  strictObject(
    Object.fromEntries(
      agentNames.map((name) => [name, flag(true, `Whether \`cagr sync\` writes the hook file of ${name}.`)]),
    ) as Record<(typeof agentNames)[number], ReturnType<typeof flag>>,
  ),
  description('The agents whose hook files `cagr sync` writes.'),
);

const table = <const Table extends GenericSchema>(entries: Table, doc: string) =>
  optional(pipe(entries, description(doc)), {});

/** Every key of a config. Types, defaults, documentation, validation and the JSON Schema all come from here. */
export const configSchema = pipe(
  strictObject({
    brief: list(line, 'Lines that agents read at the start of each session, after the rules.'),
    extends: list(
      line,
      'Configs to build on: files (`./base.toml`) or npm packages (`@acme/cagr-policy`). Later ones win.',
    ),
    package_managers: table(
      strictObject({
        javascript: optional(
          pipe(
            picklist(['npm', 'pnpm', 'yarn', 'bun', 'deno']),
            description('The package manager for JavaScript; the others are stopped.'),
          ),
        ),
        python: optional(
          pipe(
            picklist(['uv', 'poetry', 'pdm', 'pipenv', 'pip']),
            description('The package manager for Python; the others are stopped.'),
          ),
        ),
      }),
      'One package manager per language.',
    ),
    git: table(git, 'Rules for branches, commits and pushes, and the git hooks.'),
    files: table(files, 'Files that agents may not change.'),
    commands: table(
      strictObject({
        blocked: list(blockedCommand, 'Commands that agents may not run: their words, or a table with a reason.'),
      }),
      'Commands that agents may not run.',
    ),
    stacks: table(
      record(pipe(string(), judged(stackNameFlaw)), stack),
      'Named parts of the repo, each with the commands that check it.',
    ),
    rules: list(codeRule, 'Patterns that changed files must not contain.'),
    review: table(
      strictObject({
        required: flag(false, 'Pull requests need a review by `cagr review` first.'),
        command: optional(text('The reviewer: `claude`, `codex`, or a command line.')),
        timeout: optional(
          pipe(
            number(),
            judged(timeoutFlaw),
            description('How long a review may take, in seconds.'),
            metadata({ exclusiveMinimum: 0, maximum: 86_400 }),
          ),
          900,
        ),
        base: optional(text('The branch that a review compares with; without it, the protected branch.', branchFlaw)),
      }),
      'The review before a pull request.',
    ),
    pull_request: table(
      strictObject({
        headings: list(
          pipe(string(), judged(headingFlaw), metadata({ minLength: 1 })),
          'Headings that the body of a pull request needs.',
        ),
        agents_may_approve: flag(true, 'Whether agents may approve and merge pull requests.'),
      }),
      'Rules for pull requests.',
    ),
    findings: table(
      strictObject({
        mode: optional(
          pipe(
            picklist(['all', 'new']),
            description('Which findings of an edit check block: all of them, or only those that the edit brought in.'),
          ),
          'all',
        ),
        worker: flag(true, 'Whether ESLint is kept warm in a process of its own, for `mode = "new"`.'),
      }),
      'How findings after an edit count.',
    ),
    stats: table(
      strictObject({ enabled: flag(true, 'Whether decisions are counted, on this machine only.') }),
      'Local counts of decisions.',
    ),
    checks: table(
      strictObject({
        direct: flag(
          true,
          'Starts a tool from node_modules/.bin instead of through npx and its like, which is faster.',
        ),
      }),
      'How check commands are started.',
    ),
    tests: list(policyTest, 'Tests of this config, run by `cagr test`.'),
    actions: optional(actionTable, {}),
    on_error: optional(onErrorTable, {}),
    agents: optional(agentTable, {}),
  }),
  title('cagr'),
  description('The rules that cagr holds coding agents and people to in this repo.'),
);

/** A config that is valid, with defaults filled in. */
export type Config = InferOutput<typeof configSchema>;
