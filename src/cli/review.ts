import { constants } from 'node:os';
import type { Command } from 'commander';
import type { Repo } from '../facts.ts';
import { openRepo } from '../git/checkout.ts';
import { untrusted, untrustedCommands } from '../git-hook/trust.ts';
import { sessionBrief } from '../hook/brief.ts';
import { policyAt } from '../policy/at.ts';
import type { Policy } from '../policy/policy.ts';
import { type Change, findChange, fullerBase } from '../review/change.ts';
import type { ReviewFinding } from '../review/finding.ts';
import { reviewChange } from '../review/review.ts';
import { headReview, openFindings, type StoredReview, uncommittedFiles, writeReview } from '../review/store.ts';
import { result, talk } from './output.ts';
import { asTyped } from './own-command.ts';
import { noConfig } from './target.ts';

interface ReviewOptions {
  readonly base?: string;
  readonly again?: true;
  readonly json?: true;
}

/** `cagr review` and `cagr review answer`. */
export function register(program: Command): void {
  const review = program
    .command('review')
    .summary('have the commits of this branch reviewed before a pull request')
    .description(
      'Gives the diff from the merge base, the rules of the repo and an output format to the reviewer that `[review] command` names, keeps what it found for exactly this commit, and prints it. Exit code 1: an Important finding is neither fixed nor answered.',
    )
    .option('--base <branch>', 'the branch that this is to be merged into')
    .option('--again', 'review a commit that was reviewed already')
    .option('--json', 'print the review as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  cagr review\n  cagr review --base develop\n  cagr review answer 3f2a91c0 "The list is sorted by the caller."',
    )
    .action(async (options: ReviewOptions) => {
      await runReview(options);
    });
  review
    .command('answer')
    .summary('answer a finding of the review of HEAD')
    .argument('<id>', 'the id that `cagr review` prints')
    .argument('<reason...>', 'why it can stay as it is')
    .action((id: string, reason: readonly string[]) => {
      answerFinding(id, reason.join(' ').trim());
    });
}

async function runReview(options: ReviewOptions): Promise<void> {
  const { repo, policy } = where();
  const dirty = uncommittedFiles(repo.top);
  if (dirty.length > 0) {
    talk(`Commit your changes first: a review is of a commit. Uncommitted: ${someOf(dirty)}.`);
    process.exitCode = 1;
    return;
  }
  const known = headReview(repo);
  if (known?.kind === 'done' && options.again === undefined && options.base === undefined) {
    talk('This commit was reviewed before. `cagr review --again` reviews it once more.');
    report(known, options);
    return;
  }
  const change = findChange(repo, policy, options.base);
  if ('problem' in change) {
    talk(change.problem);
    process.exitCode = 2;
    return;
  }
  const [refused] = untrustedCommands(repo.top, policy.review.command === undefined ? [] : [policy.review.command]);
  if (refused !== undefined) {
    talk(untrusted(refused));
    process.exitCode = 2;
    return;
  }
  const review = await reviewInSight(repo, policy, change);
  if (review === undefined) return;
  if (review.kind === 'failed' && known?.kind === 'done') {
    talk(`The review could not run. ${review.problem ?? ''}\nThe earlier review of this commit still holds.`);
    report(known, options);
    return;
  }
  const fuller = options.base === undefined ? undefined : fullerBase(change, repo, policy);
  if (fuller !== undefined) {
    talk(
      `This is against ${change.baseName}, so it is not kept: a pull request needs a review against ${fuller}. \`[review] base\` in the config names another branch.`,
    );
    report(review, options);
    return;
  }
  writeReview(repo, review);
  const changed = uncommittedFiles(repo.top);
  if (changed.length > 0) talk(`While the review ran, files changed in the work tree: ${someOf(changed)}.`);
  report(review, options);
}

/** Runs the review with its progress on stderr; `undefined` when it was interrupted. */
async function reviewInSight(repo: Repo, policy: Policy, change: Change): Promise<StoredReview | undefined> {
  const { timeout } = policy.review;
  const files = change.files.length === 1 ? '1 file' : `${change.files.length} files`;
  const progress = startProgress(`Reviewing ${files} against ${change.baseName} (limit ${timeout} s)`);
  const interruption = new AbortController();
  const interrupt = (signal: NodeJS.Signals) => {
    process.exitCode = 128 + constants.signals[signal];
    interruption.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  // They stay, for without anybody who listens the runner of programs passes a signal on to this process.
  for (const signal of signals) process.on(signal, interrupt);
  // The brief's first line is for an agent at work.
  const rules = sessionBrief(policy).split('\n').slice(1).join('\n');
  try {
    return await reviewChange({ repo, policy, change, rules, timeout, signal: interruption.signal });
  } finally {
    for (const signal of signals) process.removeListener(signal, interrupt);
    progress();
    if (interruption.signal.aborted) talk('The review was interrupted; nothing was kept.');
  }
}

/** A line that counts the seconds on a terminal; elsewhere one line now, and one each half minute. */
function startProgress(text: string): () => void {
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1_000);
  if (!process.stderr.isTTY) {
    talk(`${text}…`);
    const timer = setInterval(() => talk(`Still reviewing, ${seconds()} s.`), 30_000);
    return () => clearInterval(timer);
  }
  const draw = () => process.stderr.write(`\r${text}… ${seconds()} s`);
  draw();
  const timer = setInterval(draw, 1_000);
  return () => {
    clearInterval(timer);
    process.stderr.write('\r\u001b[K');
  };
}

function report(review: StoredReview, { json }: ReviewOptions): void {
  const open = openFindings(review);
  if (json) result(JSON.stringify({ ...review, open: open.map(({ id }) => id) }, null, 2));
  else result(reviewText(review, open));
  if (open.length > 0) process.exitCode = 1;
}

function reviewText(review: StoredReview, open: readonly ReviewFinding[]): string {
  const commit = review.commit.slice(0, 12);
  if (review.kind === 'failed') {
    return `The review could not run. ${review.problem ?? ''}\nThis is kept for ${commit}: a pull request is let through without a review. ${asTyped('Look at the changes yourself, or run `cagr review` again.')}`;
  }
  const { findings, answers } = review;
  if (findings.length === 0) return `The review of ${commit} found nothing.`;
  const ordered = [...findings].sort((one, two) => Number(one.severity === 'Minor') - Number(two.severity === 'Minor'));
  const blocks = ordered.map((finding) => {
    const answer = answers.find(({ id }) => id === finding.id);
    return findingText(finding, answer?.reason);
  });
  return [...blocks, lastLine(commit, findings, open)].join('\n\n');
}

function findingText({ id, severity, file, line, title, why, fix }: ReviewFinding, answer: string | undefined): string {
  const place = file === '' ? 'no file' : line === undefined ? file : `${file}:${line}`;
  const rows = [
    `${severity}  ${id}  ${place}`,
    `  ${title}`,
    ...(why === '' ? [] : [indented(why)]),
    ...(fix === '' ? [] : [indented(`Fix: ${fix}`)]),
    ...(answer === undefined ? [] : [indented(`Answered: ${answer}`)]),
  ];
  return rows.join('\n');
}

const indented = (text: string): string => text.replaceAll(/^/gm, '  ');

function lastLine(commit: string, findings: readonly ReviewFinding[], open: readonly ReviewFinding[]): string {
  const important = findings.filter(({ severity }) => severity === 'Important').length;
  const counts = `The review of ${commit}: ${important} Important, ${findings.length - important} Minor.`;
  const [first] = open;
  if (first === undefined) return `${counts} Nothing Important is open.`;
  return asTyped(
    `${counts} ${open.length} Important ${open.length === 1 ? 'one is' : 'ones are'} open. Fix, commit and run \`cagr review\` again, or say why it can stay: \`cagr review answer ${first.id} "<reason>"\`.`,
  );
}

function answerFinding(id: string, reason: string): void {
  const { repo } = where();
  const review = headReview(repo);
  if (review === undefined || review.kind === 'failed') {
    talk('HEAD has no review to answer. Run `cagr review`.');
    process.exitCode = 1;
    return;
  }
  const finding = review.findings.find((each) => each.id === id);
  if (finding === undefined || reason === '') {
    const ids = review.findings.map((each) => `${each.id} (${each.title})`);
    talk(
      finding !== undefined
        ? 'The answer is empty. Say why the finding can stay.'
        : `The review of HEAD has no finding ${id}. It has ${ids.length === 0 ? 'none at all' : ids.join(', ')}.`,
    );
    process.exitCode = 2;
    return;
  }
  const answers = [...review.answers.filter((each) => each.id !== id), { id, title: finding.title, reason }];
  const answered = { ...review, answers };
  writeReview(repo, answered);
  const open = openFindings(answered);
  result(
    `Answered ${id}: ${finding.title}\n${open.length === 0 ? 'Nothing Important is open.' : `Still open: ${open.map((each) => `${each.id} (${each.title})`).join(', ')}.`}`,
  );
}

/** The checkout and the policy of the folder that this is run in. Throws what a person can read when there is none. */
function where(): { readonly repo: Repo; readonly policy: Policy } {
  const repo = openRepo(process.cwd());
  if (repo === undefined) throw new Error('This folder is in no git checkout.');
  const policy = policyAt(repo.top);
  if (policy === undefined) throw new Error(noConfig);
  return { repo, policy };
}

function someOf(files: readonly string[]): string {
  const few = files.slice(0, 5).join(', ');
  return files.length > 5 ? `${few} and ${files.length - 5} more` : few;
}
