import type { Branch, GitConfig, Repo } from '../facts.ts';
import { configOf, isSet } from '../shell/git-config.ts';
import { type GitCall, isOn, lastOption } from '../shell/git-options.ts';
import type { Word } from '../shell/invocation.ts';
import { hole, isKnown, showText, type Text, textOf } from '../shell/text.ts';
import { branchOf, repoOf } from './git-branch.ts';
import type { CommandCall } from './guard.ts';

/** One ref of the remote that a push would write. */
export interface PushedRef {
  /** Its full name, or where a push goes by patterns the protected glob that they cover: `refs/heads/release/*`. */
  readonly ref: string;
  readonly change: 'update' | 'delete';
  /** The part of the command that says so, as written: `HEAD:main`, `--all`; `undefined` where the config says so. */
  readonly spec: string | undefined;
}

/** What forces a push, the whole of it or one ref. */
export interface Force {
  /** As written: `--force`, `+main`; or the setting that does it: `remote.origin.mirror`. */
  readonly text: string;
  readonly kind: 'option' | 'refspec' | 'mirror' | 'config';
}

export interface PushPlan {
  /** As written; `undefined` where git picks it and it can't be known. */
  readonly remote: string | undefined;
  /** The refs that are certain. Of patterns only what the protected names say. */
  readonly refs: readonly PushedRef[];
  readonly forces: readonly Force[];
}

export interface PushWorld {
  readonly repo: Repo | undefined;
  readonly branch: Branch;
  /** The names and globs that matter where a push goes by patterns. */
  readonly names: readonly string[];
  /** Whether a branch is one of them. */
  isNamed(branch: string): boolean;
}

/** What a push of a command meets: its checkout, its branch and the protected branches of its policy. */
export function pushWorld(call: CommandCall): PushWorld {
  const { protectedBranches, isProtected } = call.policy.git;
  return { repo: repoOf(call), branch: branchOf(call), names: protectedBranches, isNamed: isProtected };
}

/** Where the words of a push stand: `git push`, and what pushes in its manner. */
interface PushWords {
  /** `undefined`: none is named. */
  readonly repository: Text | undefined;
  readonly refspecs: readonly Text[];
}

/**
 * What a push would do, as far as it is certain; `undefined` for any other command, and for a push that only shows what
 * it would do. Of a refspec that is half known that half counts: `$SHA:main` goes to main, and `+$BRANCH` is forced. Source: git-push(1), git-send-pack(1), git-subtree, and builtin/push.c of git 2.39.
 */
export function planPush(call: GitCall, world: PushWorld): PushPlan | undefined {
  const words = pushWords(call);
  if (!words || isOn(call, 'dry-run')) return undefined;
  return new Planner(call, world, words).plan();
}

function pushWords(call: GitCall): PushWords | undefined {
  const [first, ...others] = call.positionals.map(textOf);
  const named = (word: Word | undefined): Text | undefined => (word === undefined ? undefined : textOf(word));
  switch (call.subcommand) {
    case 'push':
      return { repository: first ?? named(lastOption(call, 'repo')?.value), refspecs: others };
    case 'send-pack':
      return { repository: first, refspecs: others };
    case 'subtree': {
      const [repository, ...refspecs] = others;
      // `HEAD` would be the current branch, where subtree pushes the part that it split off to what is named.
      return first === 'push' ? { repository, refspecs: refspecs.map(subtreeRefspec) } : undefined;
    }
    default:
      return undefined;
  }
}

function subtreeRefspec(word: Text): Text {
  if (word.includes(':') || word === hole) return word;
  return word.startsWith('+') ? `+HEAD:${word.slice(1)}` : `HEAD:${word}`;
}

class Planner {
  readonly #call: GitCall;
  readonly #world: PushWorld;
  readonly #words: PushWords;
  readonly #config: GitConfig;
  readonly #refs: PushedRef[] = [];
  readonly #forces: Force[] = [];
  /** Local refs that a pattern covers already: git sends each by the first that does. */
  readonly #matched = new Set<string>();
  /** `^refs/heads/main`: names at the remote that are left out, whatever would go there. Source: the behaviour of git 2.39. */
  #excluded: readonly string[] = [];

  constructor(call: GitCall, world: PushWorld, words: PushWords) {
    this.#call = call;
    this.#world = world;
    this.#words = words;
    this.#config = configOf(call, world.repo);
  }

  plan(): PushPlan {
    const remote = this.#remote();
    this.#forcedByOption();
    const refspecs = this.#refspecs();
    const isMirror = isOn(this.#call, 'mirror');
    if (isMirror) {
      this.#forces.push({ text: lastOption(this.#call, 'mirror')?.text ?? '--mirror', kind: 'mirror' });
      this.#pattern({ src: 'refs/*', dst: 'refs/*', spec: '--mirror', prunes: true });
    } else if (remote !== undefined && isSet(this.#config, `remote.${remote}.mirror`)) {
      this.#forces.push({ text: `remote.${remote}.mirror`, kind: 'config' });
      this.#pattern({ src: 'refs/*', dst: 'refs/*', spec: undefined, prunes: true });
    }
    const prunes = isOn(this.#call, 'prune');
    const all = ['all', 'branches'].find((name) => isOn(this.#call, name));
    if (all) {
      const spec = lastOption(this.#call, all)?.text;
      this.#pattern({ src: 'refs/heads/*', dst: 'refs/heads/*', spec, prunes });
    }
    this.#excluded = refspecs.flatMap((word) => (word.startsWith('^') ? [word.slice(1)] : []));
    if (refspecs.length > 0) {
      for (const word of matchingLast(refspecs)) this.#refspec(word, showText(word), { remote, prunes });
    } else if (!isMirror && !all && !isOn(this.#call, 'tags') && this.#call.subcommand === 'push') {
      this.#withoutRefspec(remote, prunes);
    }
    return { remote, refs: this.#refs, forces: this.#forces };
  }

  /** `git push tag v1` stands for `refs/tags/v1`, and `--delete` takes plain names. */
  #refspecs(): readonly Text[] {
    const given = this.#words.refspecs;
    const deletes = isOn(this.#call, 'delete');
    const refspecs: Text[] = [];
    for (let index = 0; index < given.length; index += 1) {
      let word = given[index] ?? hole;
      if (word === 'tag') {
        index += 1;
        word = `refs/tags/${given[index] ?? hole}`;
      }
      refspecs.push(deletes ? `:${word}` : word);
    }
    return refspecs;
  }

  #remote(): string | undefined {
    const { repository } = this.#words;
    if (repository !== undefined) return isKnown(repository) ? repository : undefined;
    const { branch } = this.#world;
    if (branch === undefined) return undefined;
    const own = branch === null ? undefined : this.#config.get(`branch.${branch}.pushremote`);
    return own ?? this.#config.get('remote.pushdefault') ?? this.#upstreamRemote(branch);
  }

  #upstreamRemote(branch: string | null): string {
    return (branch === null ? undefined : this.#config.get(`branch.${branch}.remote`)) ?? 'origin';
  }

  #forcedByOption(): void {
    for (const name of ['force', 'force-with-lease']) {
      // `--force-with-lease=a --force-with-lease=b` add up; only the negation takes them back.
      const option = lastOption(this.#call, name);
      if (option?.on) this.#forces.push({ text: option.text, kind: 'option' });
    }
  }

  /** A push that names no ref: the remote's own refspecs, else what `push.default` says. */
  #withoutRefspec(remote: string | undefined, prunes: boolean): void {
    if (remote === undefined) return;
    const configured = this.#config.getAll(`remote.${remote}.push`);
    if (configured.length > 0 || this.#config.isUnknown(`remote.${remote}.push`)) {
      this.#excluded = configured.flatMap((word) => (word.startsWith('^') ? [word.slice(1)] : []));
      for (const word of matchingLast(configured)) this.#refspec(word, undefined, { remote, prunes });
      return;
    }
    const { branch } = this.#world;
    const mode = this.#config.get('push.default') ?? 'simple';
    if (mode === 'nothing' || this.#config.isUnknown('push.default')) return;
    if (mode === 'matching') this.#matching(undefined, prunes);
    else if (typeof branch === 'string') {
      if (isUpstream(mode) && this.#config.isUnknown(`branch.${branch}.merge`)) return;
      this.#push(this.#upstream(branch) ?? `refs/heads/${branch}`, 'update', undefined);
    }
  }

  #refspec(
    word: Text,
    spec: string | undefined,
    { remote, prunes }: { remote: string | undefined; prunes: boolean },
  ): void {
    if (word.startsWith('^')) return;
    const isForced = word.startsWith('+');
    if (isForced) {
      this.#forces.push(
        spec === undefined ? { text: `remote.${remote ?? ''}.push`, kind: 'config' } : { text: spec, kind: 'refspec' },
      );
    }
    const text = isForced ? word.slice(1) : word;
    const colon = text.lastIndexOf(':');
    const src = colon < 0 ? text : text.slice(0, colon);
    const dst = colon < 0 ? undefined : text.slice(colon + 1);
    if (text === ':') this.#matching(spec, prunes);
    else if (text.includes('*')) {
      if (isKnown(text)) this.#pattern({ src, dst: dst ?? src, spec, prunes });
    } else if (dst === undefined)
      this.#push(this.#sameName(src, { isMapped: !isForced && spec !== undefined, remote }), 'update', spec);
    else if (src === '') this.#push(this.#full(dst), 'delete', spec);
    else if (dst !== '') this.#push(this.#full(dst, src), 'update', spec);
  }

  /**
   * Where a refspec without a colon goes: to the same name, unless the config maps it elsewhere. Git maps names of branches
   * on the command line, without `+`, by the remote's refspecs and, with push.default=upstream, by the branch's upstream.
   */
  #sameName(src: string, how: { readonly isMapped: boolean; readonly remote: string | undefined }): string | undefined {
    if (src === 'HEAD' || src === '@') {
      const { branch } = this.#world;
      return typeof branch === 'string' ? `refs/heads/${branch}` : undefined;
    }
    const ref = this.#local(src);
    const branch = branchName(ref);
    if (!how.isMapped || branch === undefined) return ref;
    const key = `remote.${how.remote ?? ''}.push`;
    for (const refspec of this.#config.getAll(key)) {
      const mapped = mapRef(refspec, ref);
      if (mapped === undefined) continue;
      // The `+` of the refspec that maps it comes along.
      if (refspec.startsWith('+')) this.#forces.push({ text: key, kind: 'config' });
      return mapped;
    }
    return this.#upstream(branch) ?? ref;
  }

  /**
   * What a branch is pushed to with push.default=upstream; `tracking` is the old word for it. Git takes an upstream for one
   * only with a remote, and pushes to none of several.
   */
  #upstream(branch: string): string | undefined {
    const mode = this.#config.get('push.default');
    if (mode === undefined || !isUpstream(mode)) return undefined;
    const merges = this.#config.getAll(`branch.${branch}.merge`);
    return merges.length === 1 && this.#config.get(`branch.${branch}.remote`) !== undefined ? merges[0] : undefined;
  }

  /** The full name of a local ref, by git's rules of short names. */
  #local(name: string): string {
    if (name.startsWith('refs/')) return name;
    const candidates = [`refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`, `refs/remotes/${name}`];
    const known = candidates.filter((ref) => this.#world.repo?.hasRef(ref));
    const branch = `refs/heads/${name}`;
    if (known.includes(branch)) return branch;
    return known[0] ?? (/^(heads|tags|remotes)\//.test(name) ? `refs/${name}` : branch);
  }

  /**
   * The full name of a ref at the remote. Git asks the remote what a plain name is there; here it counts as a branch, unless
   * a tag is pushed to a name that does not matter.
   */
  #full(name: string, src?: string): string {
    if (name.startsWith('refs/')) return name;
    if (/^(heads|tags|remotes)\//.test(name)) return `refs/${name}`;
    const source = src === undefined || src === 'HEAD' || src === '@' ? undefined : this.#local(src);
    const isTag = source?.startsWith('refs/tags/') && !this.#world.isNamed(name);
    return isTag ? `refs/tags/${name}` : `refs/heads/${name}`;
  }

  #matching(spec: string | undefined, prunes: boolean): void {
    this.#pattern({ src: 'refs/heads/*', dst: 'refs/heads/*', spec, prunes });
  }

  #pattern({
    src,
    dst,
    spec,
    prunes,
  }: {
    readonly src: string;
    readonly dst: string;
    readonly spec: string | undefined;
    readonly prunes: boolean;
  }): void {
    const locals = this.#locals(src);
    for (const local of locals ?? []) {
      const ref = mapRef(`${src}:${dst}`, local);
      if (ref === undefined || this.#matched.has(local)) continue;
      this.#matched.add(local);
      const branch = branchName(ref);
      if (branch !== undefined && this.#world.isNamed(branch)) this.#push(ref, 'update', spec);
    }
    if (locals && !prunes) return;
    for (const name of this.#world.names) {
      const ref = `refs/heads/${name}`;
      if (isGlob(name)) {
        if (mayCover(dst, ref)) this.#push(ref, locals ? 'delete' : 'update', spec);
        continue;
      }
      const source = mapRef(`${dst}:${src}`, ref);
      if (source === undefined || locals?.includes(source)) continue;
      this.#push(ref, locals ? 'delete' : 'update', spec);
    }
  }

  /** The local refs that a pattern may cover, or `undefined` where they can't be read and so may be any. */
  #locals(pattern: string): readonly string[] | undefined {
    const start = pattern.slice(0, pattern.indexOf('*'));
    return this.#world.repo?.refsBelow(start.slice(0, start.lastIndexOf('/') + 1));
  }

  #push(written: Text | undefined, change: PushedRef['change'], spec: string | undefined): void {
    if (written === undefined || !this.#isCertain(written)) return;
    const ref = showText(written);
    if (this.#excluded.some((entry) => mapRef(`${entry}:${entry}`, ref) !== undefined)) return;
    if (!this.#refs.some((known) => known.ref === ref && known.change === change))
      this.#refs.push({ ref, change, spec });
  }

  /** Whether it is certain that a ref counts: it is known, or is one of the names that matter whatever the unknown part is. */
  #isCertain(ref: Text): boolean {
    if (isKnown(ref)) return true;
    const branch = branchName(ref);
    return branch !== undefined && fillings.every((text) => this.#world.isNamed(branch.replaceAll(hole, text)));
  }
}

/** What may stand in a branch's name where that is unknown. */
const fillings = ['x', '12', '1.2-rc.3', 'Some_name'];

const isUpstream = (mode: string): boolean => mode === 'upstream' || mode === 'tracking';

/** Refspecs in the order in which git looks for one that covers a ref: `:` comes behind the patterns. */
function matchingLast(refspecs: readonly Text[]): readonly Text[] {
  const isMatching = (word: Text): boolean => word === ':' || word === '+:';
  return [...refspecs.filter((word) => !isMatching(word)), ...refspecs.filter(isMatching)];
}

/** Where a refspec, `+` or not, sends a full ref name; `undefined` if it does not cover it. */
function mapRef(refspec: string, ref: string): string | undefined {
  const text = refspec.startsWith('+') ? refspec.slice(1) : refspec;
  const colon = text.lastIndexOf(':');
  const src = colon < 0 ? text : text.slice(0, colon);
  const dst = colon < 0 ? text : text.slice(colon + 1);
  const star = src.indexOf('*');
  if (star < 0) return src === ref ? dst : undefined;
  const before = src.slice(0, star);
  const after = src.slice(star + 1);
  if (ref.length < before.length + after.length || !ref.startsWith(before) || !ref.endsWith(after)) return undefined;
  return dst.replace('*', () => ref.slice(before.length, ref.length - after.length));
}

const isGlob = (name: string): boolean => /[*?[\]{}!()]/.test(name);

/** Whether a ref pattern and a glob can both fit one name: their literal beginnings do not part. */
function mayCover(pattern: string, glob: string): boolean {
  const star = pattern.indexOf('*');
  const start = star < 0 ? pattern : pattern.slice(0, star);
  const literal = /^[^*?[\]{}!()]*/.exec(glob)?.[0] ?? '';
  return start.startsWith(literal) || literal.startsWith(start);
}

/** `refs/heads/x` → `x`; `undefined` for other refs. */
export function branchName(ref: string): string | undefined {
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
}
