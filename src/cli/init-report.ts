import { existsSync } from 'node:fs';
import path from 'node:path';
import { agents } from '../agents/index.ts';
import type { Policy } from '../policy/policy.ts';
import { readFile } from '../sync/files.ts';
import type { SyncPlan } from '../sync/plan.ts';
import { addPrepare } from '../sync/prepare.ts';
import type { Setup } from './hook-setup.ts';
import { paint, result } from './output.ts';
import type { Survey } from './survey.ts';
import { agentSteps, ignoredFiles } from './sync.ts';
import type { Place } from './target.ts';

/** What `init` did, and what it saw. */
export interface Outcome {
  readonly place: Place;
  readonly policy: Policy;
  readonly plan: SyncPlan;
  readonly survey: Survey;
  readonly isPrepared: boolean;
  readonly setup: Setup | undefined;
  readonly isNew: boolean;
}

/** Says in plain words what now happens in the repo, and what is left for a person to do. */
export function tellOutcome(outcome: Outcome): void {
  const facts = whatHappensNow(outcome);
  result(`\n${paint('bold', 'What happens now')}\n${facts.map((fact) => `- ${fact}`).join('\n')}`);
  const steps = nextSteps(outcome);
  result(`\n${paint('bold', 'What is left to do')}\n${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}`);
}

function whatHappensNow({ policy, setup, place }: Outcome): readonly string[] {
  const { git, files, stacks, packageManagers } = policy;
  const titles = agents.filter(({ name }) => policy.agents.includes(name)).map(({ title }) => title);
  const managers = [packageManagers.javascript, packageManagers.python].filter((manager) => manager !== undefined);
  const hasGitHooks = setup !== undefined && setup.kind !== 'manual';
  return [
    ...(titles.length > 0
      ? [
          `${titles.join(' and ')} read${titles.length > 1 ? '' : 's'} the rules when a session starts; cagr checks each command and each edit against them.`,
        ]
      : []),
    ...(managers.length > 0
      ? [`Agents use ${managers.join(' and ')}; other package managers are stopped, with the right command to run.`]
      : []),
    ...(git.protectedBranches.length > 0
      ? [
          `Agents do not push to ${git.protectedBranches.join(', ')}${hasGitHooks ? ', and neither do you from this clone: the pre-push hook stops it' : ''}.`,
        ]
      : []),
    ...(hasGitHooks
      ? [`A person skips the git hooks once with ${git.skipEnv}=1, as in \`${git.skipEnv}=1 git push\`.`]
      : []),
    ...(files.protected.globs.length > 0 ? [`Agents do not edit ${files.protected.globs.join(', ')}.`] : []),
    ...(files.selfProtection
      ? ['Agents do not change these rules, the hook files or the git hooks; a person does.']
      : []),
    ...stacks.flatMap(({ name, onEdit, onTurnEnd }) => [
      ...(onEdit.length > 0 ? [`After each edit (${name}): ${onEdit.map(code).join(', ')}.`] : []),
      ...(onTurnEnd.length > 0 ? [`Before an agent may finish (${name}): ${onTurnEnd.map(code).join(', ')}.`] : []),
    ]),
    ...(place.repo ? [] : ['There is no git repository here, so there are no git hooks yet.']),
  ];
}

const code = (command: string): string => `\`${command}\``;

function nextSteps(outcome: Outcome): readonly string[] {
  const { place, policy, plan, survey, isPrepared, setup, isNew } = outcome;
  const { top, repo } = place;
  const branch = policy.git.protectedBranches[0] ?? 'main';
  return [
    ...(isNew ? undecided(policy, survey) : []),
    ...installStep(top, policy, survey),
    ...(repo
      ? [...ignoredFiles(plan, top), ...commitStep(outcome)]
      : ['Run `git init`, then `cagr install-git-hooks`.']),
    ...agentSteps(plan),
    ...(setup?.kind === 'manual' ? ['Let the git hooks run, as said above.'] : []),
    ...(repo ? teammatesStep(top, survey, isPrepared) : []),
    `Try it: \`cagr explain 'git push origin ${branch}'\`. \`cagr doctor\` checks that everything works.`,
  ];
}

function undecided({ packageManagers }: Policy, survey: Survey): readonly string[] {
  const languages = [
    ['JavaScript', packageManagers.javascript, survey.javascript],
    ['Python', packageManagers.python, survey.python],
  ] as const;
  return languages
    .filter(([, manager, found]) => manager === undefined && found.length > 1)
    .map(
      ([name, , found]) =>
        `${name} has the lock files of ${found.join(' and ')}: name the one that counts in cagr.toml.`,
    );
}

const adding = {
  npm: 'npm install --save-dev cagr',
  pnpm: 'pnpm add -D cagr',
  yarn: 'yarn add -D cagr',
  bun: 'bun add -d cagr',
  deno: 'deno add -D npm:cagr',
} as const;

/** The hooks start the cagr of the repo, or else the one on the PATH. */
function installStep(top: string, { packageManagers }: Policy, survey: Survey): readonly string[] {
  if (!survey.hasPackageJson || existsSync(path.join(top, 'node_modules/cagr/package.json'))) return [];
  const manager = packageManagers.javascript ?? survey.javascript[0] ?? 'npm';
  return [`Add cagr to the repo, so that every clone has it: \`${adding[manager]}\`.`];
}

function teammatesStep(top: string, { hasPackageJson }: Survey, isPrepared: boolean): readonly string[] {
  if (isPrepared) return [];
  if (!hasPackageJson) return ['Teammates run `cagr install-git-hooks` once in their clone.'];
  const text = readFile(path.join(top, 'package.json'))?.text;
  if (text === undefined || addPrepare(text) === undefined) return [];
  return [
    'For the clones of teammates, put `cagr install-git-hooks --quiet` into the `prepare` script of package.json: `cagr init --prepare` does it.',
  ];
}

function commitStep({ plan, policy, isPrepared, isNew }: Outcome): readonly string[] {
  const folder = policy.git.hooksPath;
  const written = plan.files.filter(({ text }) => text !== undefined).map(({ path }) => path);
  const paths = [
    ...(isNew ? ['cagr.toml'] : []),
    ...(isPrepared ? ['package.json'] : []),
    ...written.filter((path) => !path.startsWith(`${folder}/`)),
    ...(written.some((path) => path.startsWith(`${folder}/`)) ? [folder] : []),
  ];
  if (paths.length === 0) return [];
  // Windows has no such bit, and without it git on other systems leaves a hook out.
  const bits =
    process.platform === 'win32' ? ` && git add --chmod=+x ${folder}/cagr ${folder}/commit-msg ${folder}/pre-push` : '';
  return [`Commit what was written: \`git add ${paths.map(shellWord).join(' ')}${bits}\`.`];
}

const shellWord = (path: string): string => (/^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
