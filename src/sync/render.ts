import commitMsg from '../../templates/commit-msg.sh';
import launcher from '../../templates/launcher.sh';
import prePush from '../../templates/pre-push.sh';
import { agents } from '../agents/index.ts';
import type { Policy } from '../policy/policy.ts';
import { type HookFile, hookFile } from './hook-entries.ts';
import { sealed } from './seal.ts';

/** A whole file that belongs to cagr, in the folder of the git hooks. */
export interface OwnFile {
  /** Relative to the top of the checkout. */
  readonly path: string;
  readonly text: string;
  readonly isExecutable: boolean;
  /** What happens to a file of that name that somebody else wrote: it moves aside and is called after cagr's, it stays, or it stops the sync. */
  readonly foreign: 'move' | 'keep' | 'refuse';
}

/** The part of a policy that `sync` goes by. */
export interface SyncPolicy {
  readonly agents: Policy['agents'];
  readonly git: Pick<Policy['git'], 'hooksPath'>;
}

/** Everything that `sync` keeps current. The same policy gives the same bytes on every machine. */
export interface Rendering {
  readonly hookFiles: readonly HookFile[];
  readonly ownFiles: readonly OwnFile[];
}

/** The last part of the name that somebody else's git hook gets when it moves aside; the hook scripts call it by that name. */
export const beforeSuffix = '.before-cagr';

/** By this a script in the hooks folder shows that `sync` wrote it. */
const signature = 'Written by `cagr sync`';

/** A hook script that lost its signature still calls the hook it moved aside, and must never be taken for that hook. */
export const isOwnText = (text: string): boolean =>
  text.slice(0, 400).includes(signature) || text.includes(beforeSuffix);

/** Git on Windows gives scripts line ends that sh can't read, unless it is told. */
const attributes = `# ${signature}: sh reads no other line ends.\ncagr text eol=lf\ncommit-msg text eol=lf\npre-push text eol=lf\n`;

export function render(policy: SyncPolicy): Rendering {
  const folder = policy.git.hooksPath;
  const launcherPath = `${folder}/cagr`;
  return {
    hookFiles: agents.map((agent) => hookFile(agent, launcherPath, policy.agents.includes(agent.name))),
    ownFiles: ownFiles(folder),
  };
}

/** The files in a folder of git hooks. */
export function ownFiles(folder: string): readonly OwnFile[] {
  const script = { isExecutable: true, foreign: 'move' } as const;
  return [
    { path: `${folder}/cagr`, text: launcherText(folder), isExecutable: true, foreign: 'refuse' },
    { path: `${folder}/commit-msg`, text: sealed(commitMsg), ...script },
    { path: `${folder}/pre-push`, text: sealed(prePush), ...script },
    { path: `${folder}/.gitattributes`, text: attributes, isExecutable: false, foreign: 'keep' },
  ];
}

/**
 * The launcher as it stands in git's own folder of hooks, of which every checkout has the same: it starts at the top of the
 * work tree, where git starts hooks. `folder` is that of the committed one.
 */
export const standaloneLauncher = (folder: string): string =>
  launcherText(folder).replace(/cd "\$here\/[./]+"/, 'cd .');

function launcherText(folder: string): string {
  const up = folder.split('/').map(() => '..');
  const path = `${folder}/cagr`.replaceAll(/[\\"$`]/g, '\\$&');
  return launcher.replaceAll('@UP@', () => up.join('/')).replaceAll('@LAUNCHER@', () => path);
}
