import path from 'node:path';
import { agents } from '../agents/index.ts';
import { branchToUse } from '../guards/new-branch.ts';
import { quoteWord } from '../guards/paste.ts';
import { fitsSoon } from '../policy/harmless.ts';
import { conventional } from '../policy/patterns.ts';
import type { NamePattern, Policy } from '../policy/policy.ts';
import { readFile } from '../sync/files.ts';
import type { SyncPlan } from '../sync/plan.ts';
import { addPrepare } from '../sync/prepare.ts';
import { checkLauncher } from './doctor/launcher.ts';
import type { Setup } from './hook-setup.ts';
import { hasOwnPackage, installAdvice } from './install-advice.ts';
import { paint, result, wrapped } from './output.ts';
import { asTyped } from './own-command.ts';
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
  const findsCagr = checkLauncher(outcome.place.top, outcome.policy).status === 'ok';
  const facts = whatHappensNow(outcome).map((fact) => `- ${wrapped(asTyped(fact), 2).trimStart()}`);
  const lead = findsCagr
    ? paint('bold', 'What happens now')
    : `${paint('bold', 'Nothing is checked yet: the hooks find no cagr on this machine.')} Step 1 is to install it. From then on:`;
  result(`\n${wrapped(lead, 0)}\n${facts.join('\n')}`);
  const steps = nextSteps(outcome, findsCagr).map((step, index) => {
    const mark = `${index + 1}. `;
    return mark + wrapped(asTyped(step), mark.length).trimStart();
  });
  result(`\n${paint('bold', 'What is left to do')}\n${steps.join('\n')}`);
}

function whatHappensNow({ policy, setup, place, plan }: Outcome): readonly string[] {
  const { git, files, stacks, packageManagers } = policy;
  const titles = agents
    .filter(({ name, file }) => policy.agents.includes(name) && !plan.problems.some(({ path }) => path === file))
    .map(({ title }) => title);
  const managers = [packageManagers.javascript, packageManagers.python].filter((manager) => manager !== undefined);
  const hasGitHooks = setup?.kind === 'adopted' ? setup.isOn : setup !== undefined && setup.kind !== 'manual';
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
    ...(git.blockForcePush
      ? [`Agents do not force-push${hasGitHooks ? '; the pre-push hook stops a push that would drop commits' : ''}.`]
      : []),
    ...(git.branchName
      ? [`Pushed branches ${nameRule(git.branchName)}${hasGitHooks ? '; the pre-push hook stops others' : ''}.`]
      : []),
    ...(git.commitMessage
      ? [`Commit subjects ${nameRule(git.commitMessage)}${hasGitHooks ? '; the commit-msg hook stops others' : ''}.`]
      : []),
    ...(hasGitHooks && git.prePush.length > 0
      ? [`Before a push of anybody: ${git.prePush.map(code).join(', ')}.`]
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

const nameRule = ({ source, example }: NamePattern): string =>
  source === conventional.name
    ? `follow Conventional Commits, as in "${conventional.example}"`
    : example === undefined
      ? `match \`${source}\``
      : `look like "${example}"`;

const code = (command: string): string => `\`${command}\``;

function nextSteps(outcome: Outcome, findsCagr: boolean): readonly string[] {
  const { place, policy, plan, survey, isPrepared, setup, isNew } = outcome;
  const { top, repo } = place;
  const branch = policy.git.protectedBranches[0] ?? 'main';
  return [
    ...installStep(top, policy, survey, findsCagr),
    ...mendSteps(plan),
    ...(isNew ? undecided(policy, survey) : []),
    ...(setup?.kind === 'manual' ? [setup.steps.join('\n')] : []),
    ...(repo
      ? [...ignoredFiles(plan, top), ...commitStep(outcome)]
      : ['Run `git init`, then `cagr install-git-hooks`.']),
    ...agentSteps(plan),
    // A manager installs its hooks in the clones of teammates by itself.
    ...(repo && setup?.kind !== 'adopted' ? teammatesStep(top, survey, isPrepared) : []),
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

/** A file that could not be written, and so does nothing yet. */
function mendSteps({ problems }: SyncPlan): readonly string[] {
  return problems.map(({ path: file }) => {
    const title = agents.find((each) => each.file === file)?.title;
    const effect = title === undefined ? 'it is not as it should be' : `${title} is not checked`;
    return `Mend ${file} as said above, then run \`cagr sync\`. Until then ${effect}.`;
  });
}

/** The hooks start the cagr of the repo, or else the one on the PATH. */
const installStep = (top: string, policy: Policy, { hasPackageJson }: Survey, findsCagr: boolean): readonly string[] =>
  findsCagr && (!hasPackageJson || hasOwnPackage(top)) ? [] : [installAdvice(top, policy)];

function teammatesStep(top: string, { hasPackageJson }: Survey, isPrepared: boolean): readonly string[] {
  if (isPrepared) return [];
  if (!hasPackageJson) return ['Teammates run `cagr install-git-hooks` once in their clone.'];
  const text = readFile(path.join(top, 'package.json'))?.text;
  if (text === undefined || addPrepare(text) === undefined) return [];
  return [
    'For the clones of teammates, let the `prepare` script of package.json install the git hooks: `cagr init --prepare` writes it.',
  ];
}

function commitStep({ place, plan, policy, isPrepared, isNew, setup }: Outcome): readonly string[] {
  const folder = policy.git.hooksPath;
  const written = plan.files.filter(({ text }) => text !== undefined).map(({ path }) => path);
  const isOutside = (file: string): boolean => !file.startsWith(`${folder}/`);
  const isNamed = (file: string): boolean => isPrepared && file === 'package.json';
  const adopted = setup?.kind === 'adopted' ? setup.files : [];
  const paths = [
    ...(isNew ? ['cagr.toml'] : []),
    ...(isPrepared ? ['package.json'] : []),
    ...adopted.filter((file) => isOutside(file) && !isNamed(file)),
    ...written.filter(isOutside),
    ...([...written, ...adopted].every(isOutside) ? [] : [folder]),
  ];
  if (paths.length === 0) return [];
  // Windows has no such bit, and without it git on other systems leaves a hook out.
  const bits =
    process.platform === 'win32' ? ` && git add --chmod=+x ${folder}/cagr ${folder}/commit-msg ${folder}/pre-push` : '';
  const add = `\`git add ${paths.map(shellWord).join(' ')}${bits}\``;
  const branch = place.repo?.branch();
  // The first commit of all has no other place to go.
  const isHeld = branch && place.repo?.head() !== undefined && policy.git.isProtected(branch);
  if (!isHeld) return [`Commit what was written: ${add}.`];
  const name = 'chore/cagr';
  const isFine = fitsSoon(policy.git.branchName?.pattern, name) === true && !policy.git.isProtected(name);
  const own = isFine ? name : (branchToUse(policy) ?? 'NEW-BRANCH');
  return [
    `Commit what was written, on a branch, for ${branch} is protected: \`git switch -c ${quoteWord(own)}\`, then ${add}, then commit and push it.`,
  ];
}

const shellWord = (path: string): string => (/^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
