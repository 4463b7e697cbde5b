import type { ArgWord } from './invocation.ts';
import type { ParsedScript, SyntaxNode } from './parse.ts';
import { hole, type Text, toArg } from './text.ts';

/**
 * Whether programs are given a variable; `maybe`: it depends on which way was taken. `later`: it will be, once it is set;
 * until then it is what the shell was started with.
 */
type Exported = boolean | 'maybe' | 'later';

/** A shell variable. */
export interface Variable {
  /** Its text; of an array the first element. `undefined`: known to be unset. */
  readonly text: Text | undefined;
  /** All elements of an indexed array; `null` where they are unknown. */
  readonly items?: readonly Text[] | null;
  readonly exported: Exported;
}

/** A function's body with the text that its positions count in. */
export interface ShellFunction {
  readonly body: SyntaxNode & Exclude<SyntaxNode, ParsedScript>;
  readonly source: string;
}

/** How many folders a script may be in and still be judged in each. */
const mostPlaces = 4;

/** How many bodies a name may have that was defined in branches that may not have run. */
const mostBodies = 4;

/** Values by name. Most scopes set nothing, so the map is made with the first one. */
class Layer<Value> {
  #map: Map<string, Value> | undefined;

  get(name: string): Value | undefined {
    return this.#map?.get(name);
  }

  set(name: string, value: Value): void {
    this.#map ??= new Map();
    this.#map.set(name, value);
  }

  delete(name: string): void {
    this.#map?.delete(name);
  }

  names(): Iterable<string> {
    return this.#map?.keys() ?? [];
  }

  entries(): Iterable<[string, Value]> {
    return this.#map ?? [];
  }
}

const noExports: ReadonlyMap<string, ArgWord> = new Map();

/**
 * What a shell knows while a script runs: variables, functions, its folder. A subshell, or a branch that may not be
 * taken, works on a {@link child}, which sees its parent and keeps its changes to itself.
 */
export class Scope {
  #cwd: string | null;
  #places: readonly string[] = [];
  /** What `cd -` goes back to. */
  previous: string | null = null;
  /** What `popd` goes back to, the last one first. */
  folders: readonly (string | null)[] = [];
  /** `$1`, `$2`, …; `undefined` where they are unknown. */
  args: readonly Text[] | undefined;
  /** `$0`, where it is known. */
  zero: Text | undefined;
  /** Inside a function, the variables that are its own, with what they were outside of it. */
  locals: Map<string, Variable | undefined> | undefined;
  /** `set -a`: every variable is exported. */
  exportsAll = false;
  readonly #parent: Scope | undefined;
  /** What the process was started with, in a scope without a parent. */
  readonly #inherited: ReadonlyMap<string, ArgWord>;
  readonly #variables = new Layer<Variable>();
  readonly #functions = new Layer<readonly ShellFunction[]>();
  readonly #files = new Layer<Text>();
  readonly #doubts = new Layer<boolean>();
  #exports: ReadonlyMap<string, ArgWord> | undefined;
  #exportsBase: ReadonlyMap<string, ArgWord> | undefined;
  #hasExports = false;

  private constructor(parent: Scope | undefined, cwd: string | null, inherited: ReadonlyMap<string, ArgWord>) {
    this.#parent = parent;
    this.#inherited = inherited;
    this.#cwd = cwd;
    if (parent) {
      this.#places = parent.#places;
      this.previous = parent.previous;
      this.folders = parent.folders;
      this.args = parent.args;
      this.locals = parent.locals;
      this.zero = parent.zero;
      this.exportsAll = parent.exportsAll;
    }
  }

  /** A new shell process in a folder, with what its parent exported. */
  static process(cwd: string | null, env: ReadonlyMap<string, ArgWord> = noExports, like?: Scope): Scope {
    const scope = new Scope(undefined, cwd, env);
    // What the disk and the checkouts look like is the same for every process of a script.
    if (like) like.#copyWorldInto(scope);
    return scope;
  }

  /** The absolute folder; `null` when unknown. */
  get cwd(): string | null {
    return this.#cwd;
  }

  set cwd(folder: string | null) {
    this.#cwd = folder;
    this.#places = [];
  }

  /** Where the folder is unknown, but one of a few: those. */
  get places(): readonly string[] {
    return this.#places;
  }

  child(): Scope {
    return new Scope(this, this.cwd, noExports);
  }

  get(name: string): Variable | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.#parent) {
      const variable = scope.#variables.get(name);
      if (variable) return variable;
      if (!scope.#parent && scope.#inherited.has(name)) {
        const text = scope.#inherited.get(name);
        // What is unknown of a variable may be its text, or whether it is there.
        return { text: text ?? hole, exported: text === null ? 'maybe' : true };
      }
    }
    return undefined;
  }

  set(name: string, variable: Variable): void {
    this.#variables.set(name, variable);
    if (variable.exported || this.#hasExports || this.env().has(name)) {
      this.#hasExports = true;
      this.#exports = undefined;
    }
  }

  /** Gives variables a value for as long as an action takes: `A=1 function`. */
  during<Result>(variables: ReadonlyMap<string, Variable>, action: () => Result): Result {
    const before = [...variables.keys()].map((name) => [name, this.#variables.get(name)] as const);
    for (const [name, variable] of variables) this.set(name, variable);
    const result = action();
    for (const [name, variable] of before) {
      if (variable) this.set(name, variable);
      else this.#variables.delete(name);
    }
    this.#exports = undefined;
    return result;
  }

  /** Sets a variable's text and leaves it exported if it was. */
  assign(name: string, text: Text | undefined, items?: readonly Text[] | null): void {
    const before = this.get(name)?.exported ?? false;
    const exported = this.exportsAll || before === 'later' || before;
    this.set(name, items === undefined ? { text, exported } : { text, items, exported });
  }

  /** The variables that a program started from here is given by this script. */
  env(): ReadonlyMap<string, ArgWord> {
    const base = this.#parent ? this.#parent.env() : this.#inherited;
    if (!this.#hasExports) return base;
    if (this.#exports && this.#exportsBase === base) return this.#exports;
    const env = new Map(base);
    for (const [name, { text, exported }] of this.#variables.entries()) {
      if (exported === 'later') continue;
      if (exported && text !== undefined) env.set(name, exported === 'maybe' ? null : toArg(text));
      else env.delete(name);
    }
    this.#exports = env;
    this.#exportsBase = base;
    return env;
  }

  /** The bodies that a function may have; more than one where it was defined in branches that may not have run. */
  function(name: string): readonly ShellFunction[] | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.#parent) {
      const found = scope.#functions.get(name);
      if (found) return found;
    }
    return undefined;
  }

  define(name: string, definition: ShellFunction): void {
    this.#functions.set(name, [definition]);
  }

  /** The text that an earlier command of the script wrote to an absolute path. */
  file(path: string): Text | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.#parent) {
      const found = scope.#files.get(path);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  setFile(path: string, text: Text): void {
    this.#files.set(path, text);
    this.#doubts.set(path, false);
  }

  /** Whether the file was written on some ways only. */
  isDoubtful(path: string): boolean {
    for (let scope: Scope | undefined = this; scope; scope = scope.#parent) {
      const found = scope.#doubts.get(path);
      if (found !== undefined) return found;
    }
    return false;
  }

  changeFolder(folder: string | null): void {
    this.previous = this.cwd;
    this.cwd = folder;
  }

  /** The names of the variables that were set here and not in a parent. */
  changed(): Iterable<string> {
    return this.#variables.names();
  }

  /** Takes over everything that a child changed: the child was certain to run. */
  adopt(child: Scope): void {
    for (const [name, variable] of child.#variables.entries()) this.set(name, variable);
    for (const [name, definition] of child.#functions.entries()) this.#functions.set(name, definition);
    child.#copyWorldInto(this);
    this.cwd = child.cwd;
    this.#places = child.#places;
    this.previous = child.previous;
    this.folders = child.folders;
    this.args = child.args;
    this.exportsAll = child.exportsAll;
  }

  /** After a subshell ended: its variables are gone, what it did to files and checkouts stays. */
  adoptWorld(child: Scope): void {
    child.#copyWorldInto(this);
  }

  /** After one of several ways was taken: what they agree on is known, what they differ in is not. */
  merge(ways: readonly Scope[]): void {
    const [first, ...others] = ways;
    if (!first) return;
    if (others.length === 0) {
      this.adopt(first);
      return;
    }
    const names = new Set(ways.flatMap((way) => [...way.#variables.names()]));
    for (const name of names) this.set(name, mergeVariables(ways.map((way) => way.get(name))));
    for (const name of new Set(ways.flatMap((way) => [...way.#functions.names()]))) {
      const bodies = new Set(ways.flatMap((way) => way.function(name) ?? []));
      this.#functions.set(name, [...bodies].slice(0, mostBodies));
    }
    for (const path of new Set(ways.flatMap((way) => [...way.#files.names()]))) {
      // A file that one way does not write is, if it is read, the one that another way wrote.
      const [text = hole, ...different] = new Set(ways.flatMap((way) => way.file(path) ?? []));
      const isDoubtful = ways.some((way) => way.file(path) === undefined || way.isDoubtful(path));
      this.#files.set(path, different.length === 0 ? text : hole);
      this.#doubts.set(path, isDoubtful);
    }
    const folders = new Set<string | null>(
      ways.flatMap((way): readonly (string | null)[] => (way.#places.length > 0 ? way.#places : [way.cwd])),
    );
    this.cwd = folders.size === 1 ? first.cwd : null;
    const known = [...folders].filter((folder) => folder !== null);
    if (known.length > 1 && known.length === folders.size && known.length <= mostPlaces) this.#places = known;
    this.previous = others.some((way) => way.previous !== first.previous) ? null : first.previous;
    this.folders = first.folders;
    this.args = others.some((way) => way.args !== first.args) ? undefined : first.args;
    this.exportsAll = ways.some((way) => way.exportsAll);
  }

  #copyWorldInto(target: Scope): void {
    const chain: Scope[] = [];
    for (let scope: Scope | undefined = this; scope && scope !== target; scope = scope.#parent) chain.push(scope);
    for (const scope of chain.reverse()) {
      for (const [path, text] of scope.#files.entries()) target.#files.set(path, text);
      for (const [path, isDoubtful] of scope.#doubts.entries()) target.#doubts.set(path, isDoubtful);
    }
  }
}

function mergeVariables(found: readonly (Variable | undefined)[]): Variable {
  const [first] = found;
  const [some = false, ...others] = new Set(found.map((variable) => variable?.exported ?? false));
  const exported = others.length === 0 ? some : 'maybe';
  const same = found.every(
    (variable) => variable && first && variable.text === first.text && variable.items === first.items,
  );
  if (!same || !first) return { text: hole, exported };
  return first.items === undefined
    ? { text: first.text, exported }
    : { text: first.text, items: first.items, exported };
}
