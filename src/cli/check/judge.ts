import { join } from 'node:path';
import { groupByPolicy, type PolicyFiles, pathFromTop, placeInHeading } from '../../checks/edited-files.ts';
import { planTurnEnd } from '../../checks/plan.ts';
import { type Found, search } from '../../checks/search.ts';
import type { Verdict } from '../../decision.ts';
import type { Facts, Repo } from '../../facts.ts';
import { fitting } from '../../git-hook/fitting.ts';
import { isGenerated, readSubject } from '../../git-hook/subject.ts';
import { untrustedCommands, untrustedReason } from '../../git-hook/trust.ts';
import { tooSlow } from '../../git-hook/words.ts';
import { judgeBranchName } from '../../guards/branch-name.ts';
import { judgeSubject } from '../../guards/commit-message.ts';
import { runCommand } from '../../io/run.ts';
import type { CodeRule, Policy } from '../../policy/policy.ts';
import type { RuleId } from '../../rules.ts';
import type { BranchChange } from './change.ts';
import type { CheckFinding } from './finding.ts';

/** A job has a limit of its own; this one ends what hangs for good, in ms. */
const commandLimit = 24 * 60 * 60 * 1_000;

/** What all code rules of a policy may take, in ms. */
const rulesLimit = 60_000;

/** Commits that git writes are judged by nobody; a message that is kept already holds no comments. */
const asKept = { commentChar: undefined, cleanup: 'verbatim', edited: false };

/** The name of the branch, and the subjects of its commits, by the policy at the top. */
export async function judgeCommits(change: BranchChange, policy: Policy): Promise<readonly CheckFinding[]> {
  const branch = await judgeBranch(change.branch, policy);
  return [...branch, ...(await judgeSubjects(change, policy))];
}

async function judgeBranch(branch: string | undefined, policy: Policy): Promise<readonly CheckFinding[]> {
  const pattern = policy.git.branchName?.pattern;
  if (branch === undefined || pattern === undefined || policy.git.isProtected(branch)) return [];
  const fits = (await fitting(pattern, [branch])).get(branch);
  const title = `branch \`${branch}\``;
  if (fits === undefined) return slow('branch-name', 'branch_name', branch, title, policy);
  const verdict = judgeBranchName(branch, policy, fits);
  return verdict ? finding('branch-name', policy, { title, message: sentences(verdict) }) : [];
}

async function judgeSubjects({ commits, head, base }: BranchChange, policy: Policy): Promise<readonly CheckFinding[]> {
  const { commitMessage } = policy.git;
  if (commitMessage === undefined) return [];
  const written = commits.flatMap(({ id, message }) => {
    const subject = readSubject(message, asKept);
    return subject === '' || isGenerated(subject, false) ? [] : [{ id, subject }];
  });
  const fits = await fitting(
    commitMessage.pattern,
    written.map(({ subject }) => subject),
  );
  return written.flatMap(({ id, subject }) => {
    const title = `commit ${id.slice(0, 12)}`;
    const fit = fits.get(subject);
    if (fit === undefined) return slow('commit-message', 'commit_message', subject, title, policy);
    const verdict = judgeSubject(subject, policy, fit);
    if (verdict === undefined) return [];
    const how = id === head ? '`git commit --amend`' : `\`git rebase -i ${base.slice(0, 12)}\``;
    const { example } = commitMessage;
    const instead = `Reword it with ${how}${example === undefined ? '.' : `, for example to "${example}".`}`;
    return finding('commit-message', policy, { title, message: sentences({ ...verdict, instead }) });
  });
}

/** For a name or a subject that the pattern of a key takes too long for. */
function slow(
  rule: RuleId,
  key: 'branch_name' | 'commit_message',
  text: string,
  title: string,
  policy: Policy,
): readonly CheckFinding[] {
  const level = policy.onError(rule) === 'deny' ? undefined : 'warning';
  return finding(rule, policy, { title, message: tooSlow(key, text) }, level);
}

const sentences = ({ quote, problem, instead }: Verdict): string => `\`${quote}\`: ${problem}. ${instead}`;

/** What the files of the change break, each by the policy that is nearest to it, and which commands ran. */
export interface FilesJudged {
  readonly files: number;
  readonly commands: readonly string[];
  readonly findings: readonly CheckFinding[];
}

/**
 * Judges the code rules on the changed files, whole files as at the end of a turn, and runs the `on_turn_end` commands of
 * their stacks, one after the other. Nothing is compared with what was there before: a finding counts whoever made it.
 *
 * @param running is told of each command before it starts.
 */
export async function judgeFiles(
  change: BranchChange,
  { repo, facts, running }: { readonly repo: Repo; readonly facts: Facts; running(command: string): void },
): Promise<FilesJudged> {
  const groups = groupByPolicy(change.files, facts);
  const findings: CheckFinding[] = [];
  for (const group of groups) findings.push(...(await judgeRules(group)));
  const commands: string[] = [];
  for (const group of groups) {
    const { policy, files } = group;
    if (policy.action('check/on-turn-end') === 'off') continue;
    const planned = planTurnEnd(policy.stacks, files);
    const refused = untrustedCommands(
      repo.top,
      planned.map(({ command }) => command),
    );
    for (const { command, files: about } of planned) {
      if (refused.includes(command)) {
        findings.push(
          ...finding('check/on-turn-end', policy, { title: named(command, group), message: `It ${untrustedReason}` }),
        );
        continue;
      }
      running(command);
      commands.push(command);
      const { exit, output, notFound } = await runCommand({
        command,
        files: about,
        cwd: policy.root,
        limit: commandLimit,
      });
      if (exit === 0) continue;
      const end = notFound
        ? 'It is not installed here (exit code 127).'
        : exit === null
          ? 'It was ended by a signal.'
          : `It failed with exit code ${exit}${output === '' ? ' and printed nothing' : ''}.`;
      findings.push(...finding('check/on-turn-end', policy, { title: named(command, group), message: end, output }));
    }
  }
  return { files: groups.reduce((sum, { files }) => sum + files.length, 0), commands, findings };
}

/** A command, and where its policy lies below the top. */
const named = (command: string, { place }: PolicyFiles): string => `\`${command}\`${placeInHeading(place)}`;

async function judgeRules({ policy, place, files }: PolicyFiles): Promise<readonly CheckFinding[]> {
  const present = files.filter(({ exists }) => exists).map(({ path }) => path);
  const rules = policy.rules.filter(({ id }) => policy.action(`code-rule/${id}`) !== 'off');
  const jobs = rules.flatMap((rule) => present.filter((file) => rule.covers(file)).map((file) => ({ rule, file })));
  const searched = await search(
    jobs.map(({ rule: { pattern }, file }) => ({ pattern, file: join(policy.root, file) })),
    rulesLimit,
  );
  return jobs.flatMap(({ rule, file }, index) => {
    const shown = pathFromTop(place, file);
    const found = searched[index] ?? 'slow';
    if (found === 'slow') return unjudged(rule, shown, policy, 'its pattern takes too long. Make the pattern simpler.');
    return 'unread' in found ? unjudged(rule, shown, policy, `${found.unread}.`) : placesOf(rule, shown, found, policy);
  });
}

function placesOf(rule: CodeRule, file: string, { count, matches }: Found, policy: Policy): readonly CheckFinding[] {
  return matches.flatMap(({ line, text }, index) => {
    const more = index === matches.length - 1 && count > matches.length ? ` (and ${count - matches.length} more)` : '';
    const about = { title: `code rule \`${rule.id}\``, message: `${rule.message}${more}`, file, line, text };
    return finding(`code-rule/${rule.id}`, policy, about);
  });
}

function unjudged({ id }: CodeRule, file: string, policy: Policy, why: string): readonly CheckFinding[] {
  const ruleId = `code-rule/${id}` as const;
  const level = policy.onError(ruleId) === 'deny' ? undefined : 'warning';
  return finding(ruleId, policy, { title: `code rule \`${id}\``, message: `Not judged here: ${why}`, file }, level);
}

/** By what `[actions]` says of the rule; nobody can be asked here, so `ask` and `rewrite` fail like a deny. */
function finding(
  rule: RuleId,
  policy: Policy,
  about: Omit<CheckFinding, 'rule' | 'level'>,
  level?: CheckFinding['level'],
): readonly CheckFinding[] {
  const action = policy.action(rule);
  if (action === 'off') return [];
  return [{ rule, level: level ?? (action === 'warn' ? 'warning' : 'error'), ...about }];
}
