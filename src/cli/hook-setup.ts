import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Repo } from '../facts.ts';
import { openRepo } from '../git/checkout.ts';
import { gitHooksState } from '../git/hooks-state.ts';
import type { Policy } from '../policy/policy.ts';
import { leadingLines } from './hook-managers/call-lines.ts';
import { applyEdits, type HookManager, type ManagedCheckout, startManager } from './hook-managers/managed-hooks.ts';
import { managerOf } from './hook-managers.ts';
import { hooksFolderOf, isOwnFolder, managedCheckout, othersHooks } from './hooks-folder.ts';
import { hooksSetting, noteBefore, setCommand, setHooksPath, unsetCommand, unsetHooksPath } from './hooks-setting.ts';
import { activeHooks, gitHooksFolder, type Kept, refreshPlainHooks, writePlainHooks } from './plain-hooks.ts';

/** What came of making git run cagr's hooks. */
export type Setup =
  /** `left` is the folder that cagr's hooks stood in before, under another `hooks_path`. */
  | { readonly kind: 'set'; readonly left?: string }
  | { readonly kind: 'already'; readonly kept: readonly Kept[] }
  /** In git's own folder, where hooks of others stay on, or where no checkout takes them away. `moved` made room. */
  | {
      readonly kind: 'plain';
      readonly moved: readonly string[];
      readonly kept: readonly Kept[];
      readonly isStable: boolean;
    }
  /** A hook manager calls them. `isOn`: it does so in this clone already. */
  | Adopted
  | Manual;

interface Adopted {
  readonly kind: 'adopted';
  readonly manager: string;
  readonly told: string;
  /** What changed, relative to the top. */
  readonly files: readonly string[];
  readonly kept: readonly Kept[];
  readonly isOn: boolean;
}

/** Only a person can do it; full sentences and lines to paste. */
interface Manual {
  readonly kind: 'manual';
  readonly steps: readonly string[];
}

export interface SetupOptions {
  /** Plain hooks in git's own folder, also where the committed ones would do. */
  readonly isStable?: boolean;
  /** Leaves the files of the work tree as they are, such as the config of a hook manager. */
  readonly isQuiet?: boolean;
}

/**
 * Makes git run the hooks of a checkout, without switching off a hook of anybody else's: `core.hooksPath` is set only where
 * neither a hook manager nor a hook in git's own folder would lose by it.
 *
 * @throws when git or the file system fails.
 */
export function installGitHooks(repo: Repo, policy: Policy, options: SetupOptions = {}): Setup {
  const { hooksPath } = policy.git;
  const checkout = managedCheckout(repo, hooksPath);
  const { configured } = checkout;
  if (options.isStable) return personsPart(repo, policy, true) ?? installStable(repo, checkout);
  const isOurs = isNamed(checkout);
  const isMoved = !isOurs && isOwnFolder(repo, configured);
  if (!isMoved && (isOurs || gitHooksState(repo, policy).installed)) {
    if (isOurs) noteBefore(repo, configured);
    return { kind: 'already', kept: refreshPlainHooks(repo, hooksPath) };
  }
  const manual = personsPart(repo, policy);
  if (manual) return manual;
  // Set to nothing, which git takes for a folder without hooks.
  if (repo.config.get('core.hookspath') === '') unsetHooksPath(repo);
  const manager = isMoved ? undefined : managerOf(checkout);
  if (manager) return options.isQuiet ? { kind: 'manual', steps: [] } : adopt(manager, checkout, repo, policy);
  if (configured === '') {
    // pre-commit refuses to install its hooks where `core.hooksPath` is set (pre-commit 4).
    const hasPreCommit = existsSync(path.join(repo.top, '.pre-commit-config.yaml'));
    if (hasPreCommit || activeHooks(gitHooksFolder(repo)).length > 0) return installPlain(repo, hooksPath, false);
  }
  setHooksPath(repo, hooksPath);
  return isMoved ? { kind: 'set', left: configured } : { kind: 'set' };
}

/** What only a person can do where another's folder or a manager holds the hooks; `undefined` where cagr can do it. */
export function personsPart(repo: Repo, { git: { hooksPath } }: Policy, isStable = false): Manual | undefined {
  const checkout = managedCheckout(repo, hooksPath);
  const { configured } = checkout;
  const isOurs = isNamed(checkout);
  if (isOurs || isOwnFolder(repo, configured)) {
    const steps = isStable ? unstable(repo, checkout) : undefined;
    return steps && { kind: 'manual', steps };
  }
  const manager = managerOf(checkout);
  if (manager && isStable) return { kind: 'manual', steps: notBeside(manager, checkout) };
  if (manager?.adopt(checkout)) return;
  if (manager) return { kind: 'manual', steps: manager.steps(checkout) };
  return configured === '' ? undefined : { kind: 'manual', steps: foreignFolder(repo, checkout) };
}

const isNamed = ({ top, configured, hooksPath }: ManagedCheckout): boolean =>
  hooksFolderOf(top, configured) === path.join(top, hooksPath);

const foreignFolder = (repo: Repo, { configured, hooksPath }: ManagedCheckout): readonly string[] => [
  `Git takes its hooks from ${configured} (\`core.hooksPath\`), which cagr leaves as it is.`,
  'To have both, put this at the beginning of commit-msg in that folder:',
  ...leadingLines(hooksPath, 'commit-msg').map((line) => `  ${line}`),
  'and this at the beginning of pre-push:',
  ...leadingLines(hooksPath, 'pre-push').map((line) => `  ${line}`),
  `If nothing in that folder is needed here: ${asCode(setCommand(repo, hooksPath)) ?? inEnvironment}.`,
];

const asCode = (command: string | undefined): string | undefined => command && `\`${command}\``;

/** What to do with a setting that no file holds. */
const inEnvironment = 'take `core.hooksPath` out of the environment, where `GIT_CONFIG_COUNT` or `git -c` sets it';

const notBeside = ({ name }: HookManager, { configured, hooksPath }: ManagedCheckout): readonly string[] => [
  `${name} runs the git hooks of this repo${configured === '' ? '' : ` (\`core.hooksPath\` is ${configured})`} and writes them anew at every install, so plain hooks would not last.`,
  `\`cagr install-git-hooks\` without \`--stable\` lets ${name} run those of ${hooksPath}.`,
];

/** Why `core.hooksPath` can't be taken away; `undefined` where it can. */
function unstable(repo: Repo, { top, configured }: ManagedCheckout): readonly string[] | undefined {
  const folder = hooksFolderOf(top, configured) ?? '';
  const others = othersHooks(folder).filter((name) => !name.includes('.'));
  if (others.length > 0)
    return [
      `${configured} holds ${others.join(' and ')} too, which git would no longer run with plain hooks, so everything was left as it is.`,
    ];
  const setting = hooksSetting(repo);
  const isOwn = setting?.scope === 'local' || setting?.scope === 'worktree';
  if (setting === undefined || (isOwn && setting.included === undefined)) return;
  const where =
    setting.included ?? { command: 'the environment' }[setting.scope] ?? `the ${setting.scope} configuration`;
  return [
    `\`core.hooksPath\` is set in ${where}, and git looks nowhere else while it is. To have plain hooks: ${asCode(unsetCommand(repo)) ?? inEnvironment}, then \`cagr install-git-hooks --stable\`.`,
  ];
}

function installStable(repo: Repo, { configured, hooksPath }: ManagedCheckout): Setup {
  const setup = installPlain(repo, hooksPath, true);
  if (setup.kind !== 'plain') return setup;
  if (configured !== '') noteBefore(repo, configured);
  unsetHooksPath(repo);
  return setup;
}

function installPlain(repo: Repo, hooksPath: string, isStable: boolean): Setup {
  const written = writePlainHooks(repo, hooksPath);
  if ('moved' in written) return { kind: 'plain', ...written, isStable };
  const { taken } = written;
  const step = `${taken} is another hook, and ${taken}.before-cagr, where it would go, is taken. Make one hook of the two and leave it in ${taken}.`;
  return { kind: 'manual', steps: [step] };
}

function adopt(manager: HookManager, checkout: ManagedCheckout, repo: Repo, policy: Policy): Adopted | Manual {
  const edits = manager.adopt(checkout);
  if (edits === undefined) return { kind: 'manual', steps: manager.steps(checkout) };
  applyEdits(edits, checkout.top);
  const call = manager.refresh(checkout);
  if (call) startManager(call, checkout.top);
  // What was read of git's config before is out of date.
  const now = openRepo(repo.top);
  const files = edits.flatMap(({ path: file, keeps }) => (keeps === undefined ? [file] : []));
  const kept = edits.flatMap(({ path: as, keeps: file }) => (file === undefined ? [] : [{ file, as }]));
  const isOn = now !== undefined && gitHooksState(now, policy).installed;
  return { kind: 'adopted', manager: manager.name, told: manager.told(checkout), files, kept, isOn };
}
