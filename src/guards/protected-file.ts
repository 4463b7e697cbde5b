import type { Verdict } from '../decision.ts';
import type { Facts } from '../facts.ts';
import { basename, dirname, isWithin, relativeTo } from '../paths.ts';
import type { Policy } from '../policy/policy.ts';
import { shorten } from '../sentence.ts';
import { LookBudget } from '../shell/globbing.ts';
import { isKnown, showText, type Text } from '../shell/text.ts';
import { shownPath } from '../visible-text.ts';
import { takesSide } from './conflicts.ts';
import { isCleaned, sparingOptions } from './git-clean.ts';
import type { CommandCall, CommandGuard, EditGuard } from './guard.ts';
import { halfReached, mayFit, samples } from './half-paths.ts';
import { hostsFor } from './hosts.ts';
import { listed, quoted } from './paste.ts';
import { heldFiles, type ReachedFile, reachedFiles } from './reached-files.ts';
import { isInScratch } from './scratch-folders.ts';
import { placesOf } from './writes.ts';

const enabled = (policy: Policy): boolean => policy.files.protected.globs.length > 0;

/** The files that `[files] protected` names, written by a shell command. */
export const protectedFile: CommandGuard = {
  id: 'protected-file',
  enabled,
  brief: (policy) => {
    const carved = policy.files.allow.globs;
    const fine = carved.length > 0 ? ` (${listed(carved)} ${carved.length === 1 ? 'is' : 'are'} fine)` : '';
    return `Do not edit: ${policy.files.protected.globs.join(', ')}${fine}.`;
  },
  judgesWrites: true,
  judge(call) {
    const { invocation, policy, facts } = call;
    // As with package managers: what a script of package.json does is not the agent's doing.
    if (invocation.via.some(({ kind }) => kind === 'package-script')) return undefined;
    const verdicts: Verdict[] = committedAtHost(call);
    const files = reachedFiles(invocation, facts).filter(({ keepsContent }) => !keepsContent);
    // Of all that a pattern or a folder leads to, one file says enough.
    let isSaid = false;
    for (const file of files) {
      const { path, quote, isFound, cleanedBy, listedBy } = file;
      if (cleanedBy || listedBy) continue;
      if (isFound && (isSaid || isScratch(path, policy, facts))) continue;
      if (file.kind === 'delete' && isBuilt(path, policy, facts)) continue;
      const found = protection(path, policy, facts);
      // No package manager reads a lock file with the marks of a conflict in it, so one side of it comes first.
      if (found && lockFile(basename(path), policy) && takesSide(path, call)) continue;
      if (found) verdicts.push({ quote, ...words(found, policy, !isFound) });
      isSaid ||= found !== undefined && isFound === true;
    }
    for (const { path, quote } of halfReached(invocation)) {
      const found = halfProtection(path, policy, facts);
      if (found) verdicts.push({ quote, ...words(found, policy, true) });
    }
    if (verdicts.length > 0) return verdicts;
    const budget = new LookBudget();
    for (const file of files) {
      const { cleanedBy, listedBy } = file;
      if (!file.whole && !cleanedBy && !listedBy) continue;
      const held = heldProtections(file, policy, facts, budget);
      // One file says enough, but what is to be left out of a list or a `git clean` is to be said at once.
      const { value: first } = held.next();
      if (!first) continue;
      const sparing = cleanedBy
        ? { options: sparingOptions([first, ...held], cleanedBy, facts) }
        : listedBy?.source.sparing([first, ...held].slice(0, mostSpared));
      return { quote: file.quote, ...words(first, policy, false, sparing) };
    }
    return spannedProtection(files, policy, facts);
  },
};

/** Files that a commit at the host writes, which no git hook sees. */
function committedAtHost(call: CommandCall): Verdict[] {
  const { policy, facts } = call;
  return (hostsFor(call)?.remoteFiles(call) ?? []).flatMap(({ path, written }) => {
    const found = protection(path, policy, facts);
    if (!found) return [];
    const lock = lockFile(basename(found.path), policy);
    const writes = lock && !lock.isForeign ? quoted([lock.writer]) : undefined;
    const instead = writes && { instead: `Run ${writes}, which writes it, then commit it here and push.` };
    return [{ quote: written, ...words(found, policy, true), ...instead }];
  });
}

/** How many files that a list should leave out are looked for. */
const mostSpared = 20;

/** A list of which nobody can say what it names, but all of it lies where everything is protected. */
function spannedProtection(files: readonly ReachedFile[], policy: Policy, facts: Facts): Verdict | undefined {
  for (const { listedBy, quote } of files) {
    if (!listedBy) continue;
    const found = listedBy.all.map(({ span }) =>
      isKnown(span) ? protection(span, policy, facts) : halfProtection(span, policy, facts),
    );
    const [first] = found;
    if (first && !found.includes(undefined)) return { quote, ...words(first, policy, false) };
  }
  return undefined;
}

interface HeldProtection extends Protection {
  /** Absolute. */
  readonly file: string;
}

/** The protected files in a folder that goes as a whole. */
function* heldProtections(
  folder: ReachedFile,
  policy: Policy,
  facts: Facts,
  budget: LookBudget,
): Generator<HeldProtection, undefined> {
  if (!isWithin(policy.root, folder.path) || isScratch(folder.path, policy, facts)) return undefined;
  const caseless = facts.isCaseless(folder.path);
  const { cleanedBy, listedBy } = folder;
  if (listedBy?.isChoosy) return undefined;
  const tops = folder.path === policy.root ? [''] : pathsBelow(folder.path, policy, facts);
  const files = listedBy ? listedBy.source.files(folder.whole === true, budget) : heldFiles(folder, facts, budget);
  for (const file of files) {
    // Of a link in the folder only the link goes, so its name is all that counts.
    const rest = file.slice(folder.path.length + 1);
    for (const top of tops) {
      const found = globProtection(top === '' || rest === '' ? top + rest : `${top}/${rest}`, policy, caseless);
      if (!found || (cleanedBy && !isCleaned(file, cleanedBy, facts))) continue;
      if (listedBy && !listedBy.source.holds(file)) continue;
      yield { ...found, file };
      break;
    }
  }
  return undefined;
}

/** A part of what a build made, which goes as freely as the whole of it: `rm -rf dist/generated`. */
function isBuilt(path: string, policy: Policy, facts: Facts): boolean {
  const repo = facts.repo(dirname(path));
  const below = repo && relativeTo(repo.top, path);
  return isScratch(dirname(path), policy, facts) && below !== undefined && repo?.ignores(`${below}/_`) === true;
}

function isScratch(path: string, policy: Policy, facts: Facts): boolean {
  return pathsBelow(path, policy, facts).some(isInScratch);
}

/** The files that `[files] protected` names, written by an edit tool. */
export const protectedFileEdit: EditGuard = {
  id: 'protected-file',
  enabled,
  judge({ written, path, policy, facts }) {
    const found = protection(path, policy, facts);
    return found && { quote: written, ...words(found, policy, true) };
  },
};

interface Protection {
  /** Relative to the policy's root. */
  readonly path: string;
  /** The glob of `[files] protected` that covers it. */
  readonly glob: string;
}

/** Why a path is protected, if it is. Its name and what it links to both count. */
function protection(path: string, policy: Policy, facts: Facts): Protection | undefined {
  const caseless = facts.isCaseless(dirname(path));
  for (const below of pathsBelow(path, policy, facts)) {
    const found = globProtection(below, policy, caseless);
    if (found) return found;
  }
  return undefined;
}

/**
 * Why a path is protected of which only a part is known, where that is so whatever the rest may be, short of `..`:
 * `migrations/$NAME` under `migrations/**`, `.env$X` under `.env*`.
 */
function halfProtection(path: Text, policy: Policy, facts: Facts): Protection | undefined {
  if (policy.files.allow.globs.some((glob) => mayFit(glob, path, policy.root))) return undefined;
  const found = samples(path).map((sample) => protection(sample, policy, facts));
  const [first] = found;
  if (!first || found.includes(undefined)) return undefined;
  return { path: showText(relativeTo(policy.root, path) ?? path), glob: first.glob };
}

/** The same for a path as it stands, relative to the policy's root. */
function globProtection(below: string, policy: Policy, caseless: boolean): Protection | undefined {
  const { protected: globs, allow } = policy.files;
  const glob = globs.match(below, caseless);
  return glob !== undefined && allow.match(below, caseless) === undefined ? { path: below, glob } : undefined;
}

/**
 * A path as paths below the policy's root, by its name and by the file it leads to; empty where it lies outside, or where
 * a config nearer to it decides.
 */
function pathsBelow(path: string, policy: Policy, facts: Facts): readonly string[] {
  const roots = placesOf(policy.root, facts);
  const below = placesOf(path, facts).flatMap((place) => {
    for (const root of roots) {
      const rest = relativeTo(root, place);
      if (rest) return isGoverned(place, policy, facts) ? [rest] : [];
    }
    return [];
  });
  return [...new Set(below)];
}

function isGoverned(place: string, policy: Policy, facts: Facts): boolean {
  const nearest = facts.policy(dirname(place));
  return nearest === undefined || nearest === policy || !isWithin(policy.root, nearest.root);
}

interface Sparing {
  readonly options: string;
  /** The command that takes them, where it is another one. */
  readonly of?: string;
}

interface Words {
  readonly problem: string;
  readonly instead: string;
  readonly target: string;
}

/**
 * `isNamed`: the call itself names the file, so that the words need not. `sparing`: the options with which the command
 * leaves it out, or the one that makes the list of files for it.
 */
function words({ path, glob }: Protection, policy: Policy, isNamed: boolean, sparing?: Sparing): Words {
  const name = basename(path);
  const lock = lockFile(name, policy);
  const reaches = isNamed ? '' : `this reaches \`${shownPath(path)}\`, and `;
  const of = sparing?.of === undefined ? '' : ` of \`${shorten(sparing.of)}\``;
  const leaveOut = sparing === undefined ? 'Leave it out' : `Leave it out${of} with \`${sparing.options}\``;
  const leave = isNamed ? '' : `${leaveOut}. `;
  if (lock) {
    return {
      problem: `${reaches}a lock file is written by its package manager, never by hand`,
      instead: lock.isForeign
        ? `${leave}This repo uses ${lock.manager}, and ${quoted([lock.writer])} writes its lock file. Leave this one to the person.`
        : `${leave}Run ${quoted([lock.writer])}, which writes it.`,
      target: path,
    };
  }
  const carved = policy.files.allow.globs;
  const fine = name.startsWith('.env') && carved.length > 0 ? ` You may edit ${quoted(carved, 'or')}.` : '';
  return {
    problem: `${reaches}\`${glob}\` is protected here, so a person changes such files`,
    instead: `${isNamed ? 'Ask' : `${leaveOut}, or ask`} the person to make the change, or to loosen \`[files] protected\` in the config.${fine}`,
    target: path,
  };
}

interface LockFile {
  /** The command that writes the repo's lock file. */
  readonly writer: string;
  readonly manager: string;
  /** It is the lock file of another manager than the repo's. */
  readonly isForeign: boolean;
}

function lockFile(name: string, { packageManagers }: Policy): LockFile | undefined {
  const key = name.toLowerCase();
  const row = Object.hasOwn(lockFiles, key) ? lockFiles[key] : undefined;
  if (!row) return undefined;
  if (!('language' in row)) return { ...row, manager: '', isForeign: false };
  const manager = packageManagers[row.language] ?? row.manager;
  return { writer: writers[manager], manager, isForeign: manager !== row.manager };
}

const writers = {
  npm: 'npm install',
  pnpm: 'pnpm install',
  yarn: 'yarn install',
  bun: 'bun install',
  deno: 'deno install',
  uv: 'uv lock',
  poetry: 'poetry lock',
  pdm: 'pdm lock',
  pipenv: 'pipenv lock',
  pip: 'pip install -r requirements.txt',
} as const;

type Language = 'javascript' | 'python';

const lockFiles: Readonly<
  Record<string, { readonly manager: keyof typeof writers; readonly language: Language } | { readonly writer: string }>
> = {
  'package-lock.json': { manager: 'npm', language: 'javascript' },
  'npm-shrinkwrap.json': { manager: 'npm', language: 'javascript' },
  'pnpm-lock.yaml': { manager: 'pnpm', language: 'javascript' },
  'yarn.lock': { manager: 'yarn', language: 'javascript' },
  'bun.lock': { manager: 'bun', language: 'javascript' },
  'bun.lockb': { manager: 'bun', language: 'javascript' },
  'deno.lock': { manager: 'deno', language: 'javascript' },
  'uv.lock': { manager: 'uv', language: 'python' },
  'poetry.lock': { manager: 'poetry', language: 'python' },
  'pdm.lock': { manager: 'pdm', language: 'python' },
  'pipfile.lock': { manager: 'pipenv', language: 'python' },
  'cargo.lock': { writer: 'cargo update --workspace' },
  'go.sum': { writer: 'go mod tidy' },
  'gemfile.lock': { writer: 'bundle lock' },
  'composer.lock': { writer: 'composer update --lock' },
  'flake.lock': { writer: 'nix flake lock' },
};
