import type { ArgWord } from '../shell/invocation.ts';
import { type ApiCall, ghApi, otherApis } from './api-call.ts';
import { fileText } from './file-text.ts';
import { type GhCall, isOtherRepo, type OptionGrammar, readGh, readOptions } from './gh-options.ts';
import type { CommandCall } from './guard.ts';
import { commandLine } from './paste.ts';

/** A call that opens a pull request, or changes one. */
export interface PullRequestCall {
  readonly does: 'create' | 'edit';
  /** What it says of the pull request; `null` where that is not known, `undefined` where it says nothing. */
  readonly body: ArgWord | undefined;
  /** The option that takes the body from the commits, as written. */
  readonly filledBy?: string;
  /** For the counts: `gh pr create`. */
  readonly target: string;
  /** A command line that does the same with another body; the body comes last, in one option. */
  readonly again: { readonly words: readonly ArgWord[]; readonly option: string };
}

/** The pull request that a call is about; `undefined` where there is none, or where a person fills it in a browser. */
export function pullRequestOf(call: CommandCall): PullRequestCall | undefined {
  const { invocation, repo } = call;
  const gh = readGh(invocation, repo);
  if (gh) {
    if (gh.elsewhere || gh.isHelp) return undefined;
    const api = ghApi(gh, call);
    return api ? apiPullRequest(api, call) : ghPullRequest(gh, call);
  }
  const given = invocation.argv.slice(1);
  if (invocation.program === 'glab' && given[0] !== 'api') return glabMergeRequest(given);
  if (invocation.program === 'az') return azPullRequest(given, call);
  for (const api of otherApis(call)) {
    const found = apiPullRequest(api, call);
    if (found) return found;
  }
  return undefined;
}

function ghPullRequest(gh: GhCall, call: CommandCall): PullRequestCall | undefined {
  const [group, verb] = gh.words;
  if (group !== 'pr' || (verb !== 'create' && verb !== 'edit')) return undefined;
  if (gh.has('web') || gh.has('dry-run') || gh.has('recover')) return undefined;
  const file = gh.values('body-file').at(-1);
  const text = file === undefined ? gh.values('body').at(-1) : (fileText(file, call) ?? null);
  const fill = ['fill', 'fill-first', 'fill-verbose'].find((option) => gh.has(option));
  const words = gh.without('body', 'body-file', 'template', 'editor', 'fill', 'fill-first', 'fill-verbose');
  const title = verb === 'create' && !gh.has('title') ? ['--title', 'what this changes'] : [];
  return {
    does: verb,
    // An option may hide behind a word that only the shell knows.
    body: text === undefined && gh.isUncertain ? null : text,
    ...(fill ? { filledBy: `--${fill}` } : {}),
    target: `gh pr ${verb}`,
    again: { words: [...words, ...title], option: '--body' },
  };
}

/** Source: docs.github.com/rest/pulls/pulls, and GitLab's "Merge requests API". */
function apiPullRequest(api: ApiCall, call: CommandCall): PullRequestCall | undefined {
  const { target } = api;
  const [, owner = '', name = '', number] = /^repos\/([^/]+)\/([^/]+)\/pulls(?:\/(\d+))?$/.exec(api.path) ?? [];
  if (name === '') return undefined;
  if (!/^[{:]/.test(owner) && isOtherRepo(`${owner}/${name}`, call.repo)) return undefined;
  const body = api.field('body');
  if (number !== undefined) {
    const again = { words: ['gh', 'pr', 'edit', number], option: '--body' };
    return api.method === 'PATCH' || api.method === 'PUT' ? { does: 'edit', body, target, again } : undefined;
  }
  if (api.method !== 'POST') return undefined;
  const option = (flag: string, field: string): readonly ArgWord[] => {
    const value = api.field(field);
    return value === undefined ? [] : [flag, value];
  };
  const title = option('--title', 'title');
  const words = [
    ...['gh', 'pr', 'create', ...(title.length > 0 ? title : ['--title', 'what this changes'])],
    ...[...option('--base', 'base'), ...option('--head', 'head')],
  ];
  return { does: 'create', body, target, again: { words, option: '--body' } };
}

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

function glabMergeRequest(given: readonly ArgWord[]): PullRequestCall | undefined {
  const { words, options, parts, isUncertain } = readOptions(given, glabGrammar);
  const [group, written] = words;
  const does = written === 'create' || written === 'new' ? 'create' : written === 'update' ? 'edit' : undefined;
  if (group !== 'mr' || !does || ['web', 'help', 'recover'].some((name) => options.has(name))) return undefined;
  const fill = ['fill', 'fill-commit-body'].find((name) => options.has(name));
  const text = options.get('description')?.at(-1);
  const kept = parts.filter(({ name }) => name === undefined || !dropped.has(name)).flatMap((part) => part.given);
  const title = does === 'create' && !options.has('title') ? ['--title', 'what this changes'] : [];
  return {
    does,
    // `-d -` opens an editor.
    body: text === '-' || (text === undefined && isUncertain) ? null : text,
    ...(fill ? { filledBy: `--${fill}` } : {}),
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

/** A call with a body to fill in. */
export function templateFor({ again }: PullRequestCall, headings: readonly string[]): string {
  const parts = headings.map((heading) => `## ${heading}\n\n…\n`);
  return `${commandLine(again.words)} ${again.option} "$(cat <<'EOF'\n${parts.join('\n')}EOF\n)"`;
}
