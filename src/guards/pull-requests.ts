import type { ArgWord } from '../shell/invocation.ts';
import { toArg } from '../shell/text.ts';
import { apiCalls } from './api-call.ts';
import { apiPullRequest } from './api-pull-requests.ts';
import { fileText } from './file-text.ts';
import { type GhCall, isGlabElsewhere, type OptionGrammar, readGh, readOptions } from './gh-options.ts';
import type { CommandCall } from './guard.ts';
import type { PullRequestCall, WrittenRequest } from './hosts.ts';
import { commandLine } from './paste.ts';
import { mergeRequestOptions } from './push-options.ts';

/** The pull request that a call is about; `undefined` where there is none, or where a person fills it in a browser. */
export function pullRequestOf(call: CommandCall): PullRequestCall | undefined {
  const { invocation, repo } = call;
  const gh = readGh(invocation, repo);
  if (gh?.elsewhere || gh?.isHelp) return undefined;
  const own = gh ? ghPullRequest(gh, call) : programPullRequest(call);
  if (own) return own;
  for (const api of apiCalls(call)) {
    const found = apiPullRequest(api, call);
    if (found) return found;
  }
  return undefined;
}

function programPullRequest(call: CommandCall): PullRequestCall | undefined {
  const { program, argv } = call.invocation;
  const given = argv.slice(1);
  switch (program) {
    case 'glab':
      return isGlabElsewhere(call.invocation, call.repo) ? undefined : glabMergeRequest(given);
    case 'az':
      return azPullRequest(given, call);
    case 'aws':
      return awsPullRequest(given);
    case 'tea':
      return teaPullRequest(given);
    case 'hub':
      return hubPullRequest(given, call);
    default:
      return pushedMergeRequest(call);
  }
}

const unnamed = ['--title', 'what this changes'];

function ghPullRequest(gh: GhCall, call: CommandCall): PullRequestCall | undefined {
  const [group, verb] = gh.words;
  if (group !== 'pr' || gh.has('web') || gh.has('dry-run')) return undefined;
  if (verb === 'ready')
    return gh.has('undo') ? undefined : { does: 'ready', head: branchNamed(gh.words[2]), target: 'gh pr ready' };
  if (verb !== 'create' && verb !== 'edit' && verb !== 'revert') return undefined;
  const file = gh.values('body-file').at(-1);
  const text = file === undefined ? gh.values('body').at(-1) : (fileText(file, call) ?? null);
  const fill = ['fill', 'fill-first', 'fill-verbose'].find((option) => gh.has(option));
  const words = gh.without('body', 'body-file', 'template', 'editor', 'fill', 'fill-first', 'fill-verbose');
  const title = verb === 'create' && !gh.has('title') ? unnamed : [];
  return {
    does: verb,
    // An option may hide behind a word that only the shell knows, and what is recovered stands in a file of gh's.
    body: text === undefined && (gh.isUncertain || gh.has('recover')) ? null : text,
    ...(verb === 'create' ? { head: gh.values('head').at(-1) } : {}),
    ...(typeof file === 'string' ? { bodyFile: file } : {}),
    ...(fill ? { filledBy: `--${fill}` } : {}),
    target: `gh pr ${verb}`,
    again: { words: [...words, ...title], option: '--body' },
  };
}

/** A pull request is named by its branch too; by a number or an address nobody knows which branch it is of. */
const branchNamed = (name: ArgWord | undefined): ArgWord | undefined =>
  typeof name === 'string' && /^#?\d+$|:\/\//.test(name) ? undefined : name;

/** Source: docs.gitlab.com/cli/mr/create and update. */
const glabGrammar: OptionGrammar = {
  values: [
    ...['assignee', 'description', 'head', 'label', 'milestone', 'related-issue', 'repo', 'reviewer', 'source-branch'],
    ...['target-branch', 'title', 'template', 'unlabel'],
  ],
  flags: [
    ...['allow-collaboration', 'copy-issue-labels', 'create-source-branch', 'draft', 'fill', 'fill-commit-body', 'web'],
    ...['no-editor', 'push', 'recover', 'remove-source-branch', 'signoff', 'squash-before-merge', 'wip', 'yes', 'help'],
    ...['ready', 'unassign', 'lock-discussion', 'unlock-discussion'],
  ],
  short: {
    ...{ a: 'assignee', d: 'description', H: 'head', l: 'label', m: 'milestone', i: 'related-issue', R: 'repo' },
    ...{ s: 'source-branch', b: 'target-branch', t: 'title', f: 'fill', w: 'web', y: 'yes', h: 'help', r: 'ready' },
    ...{ u: 'unlabel' },
  },
};

/** `glab mr for 12` opens one for an issue; its description is the issue's. */
function glabMergeRequest(given: readonly ArgWord[]): PullRequestCall | undefined {
  const { words, options, parts, isUncertain } = readOptions(given, glabGrammar);
  const [group, written, issue] = words;
  if (group !== 'mr' || typeof written !== 'string') return undefined;
  if (['web', 'help', 'recover'].some((name) => options.has(name))) return undefined;
  if (['for', 'new-for', 'create-for', 'for-issue'].includes(written)) {
    const named = issue === undefined ? [] : ['--related-issue', issue];
    const again = { words: ['glab', 'mr', 'create', ...named, ...unnamed], option: '--description' };
    return { does: 'create', body: undefined, target: 'glab mr for', again };
  }
  const does = written === 'create' || written === 'new' ? 'create' : written === 'update' ? 'edit' : undefined;
  if (!does) return undefined;
  if (does === 'edit' && options.has('ready'))
    return { does: 'ready', head: branchNamed(issue), target: 'glab mr update' };
  const fill = ['fill', 'fill-commit-body'].find((name) => options.has(name));
  const text = options.get('description')?.at(-1);
  const kept = parts.filter(({ name }) => name === undefined || !dropped.has(name)).flatMap((part) => part.given);
  const title = does === 'create' && !options.has('title') ? unnamed : [];
  return {
    does,
    // `-d -` opens an editor.
    body: text === '-' || (text === undefined && isUncertain) ? null : text,
    ...(fill ? { filledBy: `--${fill}` } : {}),
    ...(does === 'create' ? { head: options.get('source-branch')?.at(-1) } : {}),
    target: `glab mr ${does === 'create' ? 'create' : 'update'}`,
    again: { words: ['glab', ...kept, ...title], option: '--description' },
  };
}

const dropped: ReadonlySet<string> = new Set(['description', 'fill', 'fill-commit-body', 'template']);

/** `--description` takes several words, each a line. Source: learn.microsoft.com/cli/azure/repos/pr. */
function azPullRequest(given: readonly ArgWord[], call: CommandCall): PullRequestCall | undefined {
  if (given[0] !== 'repos' || given[1] !== 'pr' || given.includes('--help') || given.includes('-h')) return undefined;
  const verb = given[2];
  if ((verb !== 'create' && verb !== 'update') || given.includes('--open')) return undefined;
  const kept: ArgWord[] = [];
  let lines: ArgWord[] | undefined;
  let takes = false;
  for (const word of given) {
    const inWord = /^(?:--description|-d)=(.*)$/s.exec(word ?? '')?.[1];
    if (word === '--description' || word === '-d' || inWord !== undefined) {
      takes = true;
      lines = inWord === undefined ? [] : [inWord];
      continue;
    }
    if (word?.startsWith('-')) takes = false;
    if (takes) lines?.push(word);
    else kept.push(word);
  }
  const texts = lines?.map((line) => (line?.startsWith('@') ? fileText(line.slice(1), call) : line));
  const body = texts?.every((text) => typeof text === 'string') ? texts.join('\n') : null;
  return {
    does: verb === 'create' ? 'create' : 'edit',
    body: texts === undefined ? undefined : body,
    target: `az repos pr ${verb}`,
    again: { words: ['az', ...kept], option: '--description' },
  };
}

/** A merge request that GitLab makes or changes at a push; `\n` in a push option stands for the end of a line. */
function pushedMergeRequest(call: CommandCall): PullRequestCall | undefined {
  const options = mergeRequestOptions(call);
  const text = options?.get('description');
  if (!options || (!options.has('create') && text === undefined)) return undefined;
  const target = options.get('target');
  const title = options.get('title');
  const words = options.has('create')
    ? [
        ...['glab', 'mr', 'create', '--push', ...(title ? ['--title', toArg(title)] : unnamed)],
        ...(target ? ['--target-branch', toArg(target)] : []),
      ]
    : ['glab', 'mr', 'update'];
  return {
    does: options.has('create') ? 'create' : 'edit',
    body: text === undefined ? undefined : toArg(text.replaceAll('\\n', '\n')),
    target: 'git push',
    again: { words, option: '--description' },
  };
}

/** The AWS CLI's reference of codecommit. */
function awsPullRequest(given: readonly ArgWord[]): PullRequestCall | undefined {
  const { words, options, parts } = readOptions(given, {
    values: [
      'title',
      'description',
      'targets',
      'region',
      'profile',
      'pull-request-id',
      'client-request-token',
      'output',
    ],
    flags: ['help', 'no-cli-pager', 'debug'],
    short: {},
  });
  const [group, verb] = words;
  const does =
    verb === 'create-pull-request' ? 'create' : verb === 'update-pull-request-description' ? 'edit' : undefined;
  if (group !== 'codecommit' || !does || words[2] === 'help') return undefined;
  const kept = parts.filter(({ name }) => name !== 'description').flatMap((part) => part.given);
  return {
    does,
    body: options.get('description')?.at(-1),
    target: `aws codecommit ${verb ?? ''}`,
    again: { words: ['aws', ...kept], option: '--description' },
  };
}

/** Source: the manual of tea 0.10, Gitea's own program. */
function teaPullRequest(given: readonly ArgWord[]): PullRequestCall | undefined {
  const { words, options, parts } = readOptions(given, {
    values: [
      ...['title', 'description', 'head', 'base', 'assignees', 'labels', 'milestone', 'deadline', 'login', 'repo'],
      ...['remote', 'output', 'referenced-version', 'fields', 'state', 'page', 'limit', 'add-assignees', 'add-labels'],
    ],
    flags: ['allow-maintainer-edits', 'help', 'comments'],
    short: {
      ...{ t: 'title', d: 'description', a: 'assignees', L: 'labels', m: 'milestone', D: 'deadline', l: 'login' },
      ...{
        r: 'repo',
        R: 'remote',
        o: 'output',
        h: 'help',
        b: 'base',
        e: 'allow-maintainer-edits',
        v: 'referenced-version',
      },
    },
  });
  const [group, verb] = words;
  const isRequest = group === 'pr' || group === 'pull' || group === 'pulls';
  const does = verb === 'create' || verb === 'c' ? 'create' : verb === 'edit' || verb === 'e' ? 'edit' : undefined;
  if (!isRequest || !does || options.has('help')) return undefined;
  const kept = parts.filter(({ name }) => name !== 'description').flatMap((part) => part.given);
  const title = does === 'create' && !options.has('title') ? unnamed : [];
  return {
    does,
    body: options.get('description')?.at(-1),
    ...(does === 'create' ? { head: options.get('head')?.at(-1) } : {}),
    target: `tea pr ${does}`,
    again: { words: ['tea', ...kept, ...title], option: '--description' },
  };
}

/** The first paragraph of its message is the title. Source: hub-pull-request(1). */
function hubPullRequest(given: readonly ArgWord[], call: CommandCall): PullRequestCall | undefined {
  const { words, options } = readOptions(given, {
    values: ['base', 'head', 'message', 'file', 'reviewer', 'assign', 'milestone', 'labels', 'issue'],
    flags: ['force', 'push', 'browse', 'copy', 'draft', 'edit', 'no-edit', 'no-maintainer-edits', 'help'],
    short: {
      ...{ b: 'base', h: 'head', m: 'message', F: 'file', r: 'reviewer', a: 'assign', M: 'milestone', l: 'labels' },
      ...{ i: 'issue', f: 'force', p: 'push', o: 'browse', c: 'copy', d: 'draft', e: 'edit' },
    },
  });
  if (words[0] !== 'pull-request' || options.has('help')) return undefined;
  const messages = options.get('message');
  const file = options.get('file')?.at(-1);
  const text = file === undefined ? messages : [fileText(file, call) ?? null];
  const whole = text?.every((part) => typeof part === 'string') ? text.join('\n\n') : null;
  const again = { words: ['gh', 'pr', 'create', ...unnamed], option: '--body' };
  return { does: 'create', body: whole?.replace(/^.*?(?:\n\s*\n|$)/s, '') ?? null, target: 'hub pull-request', again };
}

/** A call with a body to fill in. */
export function templateFor({ again }: WrittenRequest, headings: readonly string[]): string {
  const parts = headings.map((heading) => `## ${heading}\n\n…\n`);
  return `${commandLine(again.words)} ${again.option} "$(cat <<'EOF'\n${parts.join('\n')}EOF\n)"`;
}
