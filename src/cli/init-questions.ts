import {
  type CommonOptions,
  cancel,
  confirm,
  intro,
  isCancel,
  multiselect,
  note,
  outro,
  select,
  text,
} from '@clack/prompts';
import { agents } from '../agents/index.ts';
import { branchFlaw } from '../policy/flaws.ts';
import { type Proposal, type ProposedStack, propose } from './proposal.ts';
import { starterConfig } from './starter-config.ts';
import type { Survey } from './survey.ts';

/** What a person agreed to. */
export interface Answers {
  readonly proposal: Proposal;
  /** Whether the `prepare` script in package.json is to install the git hooks. */
  readonly prepare: boolean;
}

/** Where the questions are asked; the terminal unless a test says otherwise. */
export type Streams = Pick<CommonOptions, 'input' | 'output'>;

/** Puts what `init` proposes to a person, part by part. `undefined`: the person broke off, or does not want it. */
export async function askPerson(survey: Survey, prepare: boolean, streams: Streams = {}): Promise<Answers | undefined> {
  intro('cagr: the rules of this repo', streams);
  const answers = await ask(survey, prepare, streams);
  if (answers) outro('Writing.', streams);
  else cancel('Nothing is written.', streams);
  return answers;
}

async function ask(seen: Survey, prepare: boolean, streams: Streams): Promise<Answers | undefined> {
  const survey = await askManagers(seen, streams);
  if (!survey) return;
  const names = agents.map(({ name }) => name);
  let proposal: Proposal | undefined = propose(survey, names);
  for (const question of questionsFor(proposal)) {
    proposal = await question(proposal, streams);
    if (!proposal) return;
  }
  const wantsPrepare = await askPrepare(prepare, survey.hasPackageJson, streams);
  if (wantsPrepare === undefined) return;
  note(starterConfig(proposal), 'cagr.toml', streams);
  const isAgreed = await confirm({ message: 'Write this, the hook files and the git hooks?', ...streams });
  return isAgreed === true ? { proposal, prepare: wantsPrepare } : undefined;
}

async function askPrepare(isGiven: boolean, hasPackageJson: boolean, streams: Streams): Promise<boolean | undefined> {
  if (isGiven || !hasPackageJson) return isGiven;
  const message =
    'Let the `prepare` script in package.json install the git hooks, so that the clones of teammates have them?';
  const answer = await confirm({ message, ...streams });
  return isCancel(answer) ? undefined : answer;
}

/** What runs the tools follows from the manager, so this comes first. */
async function askManagers(survey: Survey, streams: Streams): Promise<Survey | undefined> {
  const javascript = await askManager(survey.javascript, streams);
  const python = javascript && (await askManager(survey.python, streams));
  return javascript && python && { ...survey, javascript, python };
}

async function askManager<Name extends string>(
  names: readonly Name[],
  streams: Streams,
): Promise<readonly Name[] | undefined> {
  if (names.length < 2) return names;
  const chosen = await select<string>({
    message: `There are lock files of ${names.join(' and ')}. Which one counts?`,
    options: names.map((name) => ({ value: name, label: name })),
    ...streams,
  });
  return isCancel(chosen) ? undefined : names.filter((name) => name === chosen);
}

type Question = (proposal: Proposal, streams: Streams) => Promise<Proposal | undefined>;

const questionsFor = ({ stacks }: Proposal): readonly Question[] => [
  askAgents,
  askBranch,
  askGitRules,
  ...stacks.map((_, index) => askStack(index)),
];

const askAgents: Question = async (proposal, streams) => {
  const wanted = await multiselect({
    message: 'Which agents work here?',
    options: agents.map(({ name, title }) => ({ value: name, label: title })),
    initialValues: [...proposal.agents],
    required: false,
    ...streams,
  });
  return isCancel(wanted) ? undefined : { ...proposal, agents: wanted };
};

const askBranch: Question = async (proposal, streams) => {
  const branch = await text({
    message: 'Which branches does nobody push to directly? (with commas between them; empty: none)',
    initialValue: proposal.protectedBranches.join(', '),
    validate: (answer = '') =>
      branchNames(answer)
        .map((name) => branchFlaw(name)?.problem)
        .find((problem) => problem !== undefined),
    ...streams,
  });
  return isCancel(branch) ? undefined : { ...proposal, protectedBranches: branchNames(branch) };
};

const branchNames = (answer: string): readonly string[] => [
  ...new Set(
    answer
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

const askGitRules: Question = async (proposal, streams) => {
  const rules = await multiselect({
    message: 'What else should hold in git?',
    options: [
      { value: 'force', label: 'No force pushes' },
      { value: 'skips', label: 'Agents may not skip the git hooks' },
      { value: 'conventional', label: 'Conventional commit subjects', hint: 'feat(deals): add pipeline board' },
    ],
    initialValues: [
      ...(proposal.blockForcePush ? ['force'] : []),
      ...(proposal.blockHookSkips ? ['skips'] : []),
      ...(proposal.conventionalCommits ? ['conventional'] : []),
    ],
    required: false,
    ...streams,
  });
  if (isCancel(rules)) return;
  return {
    ...proposal,
    blockForcePush: rules.includes('force'),
    blockHookSkips: rules.includes('skips'),
    conventionalCommits: rules.includes('conventional'),
  };
};

const askStack =
  (index: number): Question =>
  async (proposal, streams) => {
    const stack = proposal.stacks[index];
    if (!stack) return proposal;
    const onEdit = await askCommands(
      `After each edit (${stack.name}), 10 s each${stack.slowOnEdit.length > 0 ? '; ESLint needs about a second' : ''}`,
      [...stack.onEdit, ...stack.slowOnEdit],
      stack.onEdit,
      streams,
    );
    if (!onEdit) return;
    const offered = [...stack.onTurnEnd, ...stack.slow];
    const onTurnEnd = await askCommands(
      `Before an agent may finish (${stack.name}), 60 s each`,
      offered,
      stack.onTurnEnd,
      streams,
    );
    if (!onTurnEnd) return;
    const asked: ProposedStack = { ...stack, onEdit, onTurnEnd };
    return { ...proposal, stacks: proposal.stacks.map((each) => (each === stack ? asked : each)) };
  };

async function askCommands(
  message: string,
  commands: readonly string[],
  initial: readonly string[],
  streams: Streams,
): Promise<readonly string[] | undefined> {
  if (commands.length === 0) return [];
  const chosen = await multiselect({
    message,
    options: commands.map((command) => ({ value: command, label: command })),
    initialValues: [...initial],
    required: false,
    ...streams,
  });
  return isCancel(chosen) ? undefined : chosen;
}
