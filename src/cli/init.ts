import path from 'node:path';
import type { Command } from 'commander';
import { agents } from '../agents/index.ts';
import { policyAt } from '../policy/at.ts';
import { findConfig } from '../policy/find.ts';
import { readFile, writeFile } from '../sync/files.ts';
import { addPrepare } from '../sync/prepare.ts';
import { installGitHooks } from './hook-setup.ts';
import type { Answers } from './init-questions.ts';
import { tellOutcome } from './init-report.ts';
import { setupText } from './install-git-hooks.ts';
import { result, talk } from './output.ts';
import { propose } from './proposal.ts';
import { starterConfig } from './starter-config.ts';
import { type Survey, surveyRepo } from './survey.ts';
import { syncFiles } from './sync.ts';
import { findPlace } from './target.ts';

interface InitOptions {
  readonly yes?: true;
  readonly prepare?: boolean;
}

/** `cagr init` */
export function register(program: Command): void {
  program
    .command('init')
    .summary('set a repo up: config, hook files, git hooks')
    .description(
      'Looks at the repo, proposes a cagr.toml, asks, writes it, and does what `cagr sync` and `cagr install-git-hooks` do. A config that is there is kept as it is.',
    )
    .option('-y, --yes', 'ask nothing and take what is proposed')
    .option('--prepare', 'let the `prepare` script in package.json install the git hooks')
    .addHelpText('after', '\nExamples:\n  cagr init\n  cagr init --yes --prepare')
    .action(async (options: InitOptions) => {
      await init(options);
    });
}

async function init(options: InitOptions): Promise<void> {
  const place = findPlace(process.cwd());
  if (place.isBare) {
    talk('This is a bare repository. Run `cagr init` in a clone or a worktree of it.');
    process.exitCode = 2;
    return;
  }
  const survey = surveyRepo(place);
  const config = findConfig(place.top);
  const isConfigured = config !== undefined && path.dirname(config) === place.top;
  let wantsPrepare = options.prepare === true;
  if (isConfigured) talk(`${path.basename(config)} holds the rules already and stays as it is.`);
  else {
    const answers = await decide(survey, options);
    if (!answers) return;
    wantsPrepare = answers.prepare;
    writeFile(path.join(place.top, 'cagr.toml'), starterConfig(answers.proposal), false);
  }
  // From here on everything follows from the config, also where it is a person's own.
  const policy = policyAt(place.top);
  if (!policy) throw new Error('The config that was just written is not there any more.');
  const isPrepared = wantsPrepare && writePrepare(place.top);
  const plan = syncFiles(policy, place, [...(isConfigured ? [] : [created]), ...(isPrepared ? [prepared] : [])]);
  const setup = place.repo && installGitHooks(place.repo, policy);
  // What a person has to do stands in the list at the end.
  if (setup && setup.kind !== 'manual') result(setupText(setup, policy.git.hooksPath));
  tellOutcome({ place, policy, plan, survey, isPrepared, setup, isNew: !isConfigured });
}

const created = { path: 'cagr.toml', change: 'created', isExecutable: false } as const;
const prepared = { path: 'package.json', change: 'updated', isExecutable: false } as const;

/** `undefined` when the person broke off or could not be asked; nothing is written then. */
async function decide(survey: Survey, { yes, prepare = false }: InitOptions): Promise<Answers | undefined> {
  if (yes)
    return {
      proposal: propose(
        survey,
        agents.map(({ name }) => name),
      ),
      prepare,
    };
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    talk('There is no terminal to ask on. `cagr init --yes` takes what is proposed without asking.');
    process.exitCode = 2;
    return;
  }
  const { askPerson } = await import('./init-questions.ts');
  const answers = await askPerson(survey, prepare);
  if (!answers) process.exitCode = 1;
  return answers;
}

function writePrepare(top: string): boolean {
  const file = path.join(top, 'package.json');
  const text = readFile(file)?.text;
  const withPrepare = text === undefined ? undefined : addPrepare(text);
  if (withPrepare === undefined) return false;
  writeFile(file, withPrepare, false);
  return true;
}
