import { fitsPattern } from './globbing.ts';
import { isKnown, type Text } from './text.ts';

/** A file that `find` comes by. */
export interface FoundFile {
  /** From the starting point on, as `find` would print it. */
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
  /** 0 for the starting point itself. */
  readonly depth: number;
}

/** What a call of `find` does to a file: it deletes it, prints its name, or starts a program on it. */
type FindAction = 'delete' | 'print' | { readonly program: readonly Text[] };

export interface FindCall {
  /** The starting points, as written. */
  readonly roots: readonly Text[];
  /** How deep it goes. */
  readonly maxDepth: number;
  /** What it certainly does to a file, and whether it stays out of what lies below. */
  visit(file: FoundFile): { readonly actions: readonly FindAction[]; readonly isPruned: boolean };
}

/** A longer search is not worked out. */
const mostWords = 500;

/** What a test says; `undefined` where only the run knows. */
type Answer = boolean | undefined;

interface Visit {
  readonly file: FoundFile;
  readonly actions: FindAction[];
  isPruned: boolean;
}

/** `isCertain`: everything before it is true for certain, so an action takes place. */
type Test = (visit: Visit, isCertain: boolean) => Answer;

/**
 * Reads a call of `find` that changes files; `undefined` for one that only looks, unless it is asked for what it prints.
 * Tests of names, types and depths are worked out, and of all others (`-mtime`, `-size`, `-regex`) nothing is certain.
 * Source: find(1) of findutils 4.9.
 */
export function readFind(words: readonly Text[], forPrinting = false): FindCall | undefined {
  const changes = words.some((word) => word === '-delete' || /^-(?:exec|ok)(?:dir)?$/.test(word));
  if (words.length > mostWords || !(changes || forPrinting)) return undefined;
  let at = 1;
  while (/^-(?:[HLP]+|O\d|D)$/.test(words[at] ?? '')) at += words[at] === '-D' ? 2 : 1;
  const from = at;
  while (at < words.length && !/^[-(!]/.test(words[at] ?? '')) at += 1;
  const roots = words.slice(from, at);
  const reader = new Reader(words.slice(at));
  const test = reader.alternatives();
  if (!test) return undefined;
  return {
    roots: roots.length > 0 ? roots : ['.'],
    maxDepth: reader.maxDepth,
    visit(file) {
      const visit: Visit = { file, actions: [], isPruned: false };
      const answer = file.depth >= reader.minDepth && test(visit, true);
      if (answer === true && !changes && !reader.prints) visit.actions.push('print');
      return visit;
    },
  };
}

class Reader {
  maxDepth = Number.POSITIVE_INFINITY;
  minDepth = 0;
  /** It says itself what is printed. */
  prints = false;
  readonly #words: readonly Text[];
  #at = 0;

  constructor(words: readonly Text[]) {
    this.#words = words;
  }

  /** `a -o b`: the second is asked only if the first is false. */
  alternatives(): Test | undefined {
    const tests: Test[] = [];
    do {
      const test = this.#sequence();
      if (!test) return undefined;
      tests.push(test);
    } while (this.#takes('-o', '-or', ','));
    return (visit, isCertain) => {
      let certain = isCertain;
      let answer: Answer = false;
      for (const test of tests) {
        const one = test(visit, certain);
        if (one === true) return true;
        if (one === undefined) {
          certain = false;
          answer = undefined;
        }
      }
      return answer;
    };
  }

  /** `a b`: the second is asked only if the first is true. */
  #sequence(): Test | undefined {
    const tests: Test[] = [];
    while (this.#at < this.#words.length && !['-o', '-or', ',', ')'].includes(this.#words[this.#at] ?? '')) {
      if (this.#takes('-a', '-and')) continue;
      const test = this.#single();
      if (!test) return undefined;
      tests.push(test);
    }
    return (visit, isCertain) => {
      let certain = isCertain;
      let answer: Answer = true;
      for (const test of tests) {
        const one = test(visit, certain);
        if (one === false) return false;
        if (one === undefined) {
          certain = false;
          answer = undefined;
        }
      }
      return answer;
    };
  }

  #single(): Test | undefined {
    if (this.#takes('!', '-not')) {
      const test = this.#single();
      return (
        test &&
        ((visit, isCertain) => {
          const answer = test(visit, isCertain);
          return answer === undefined ? undefined : !answer;
        })
      );
    }
    if (this.#takes('(')) {
      const test = this.alternatives();
      return this.#takes(')') ? test : undefined;
    }
    return this.#primary();
  }

  #primary(): Test | undefined {
    const name = this.#next() ?? '';
    switch (name) {
      case '-name':
      case '-iname':
        return fitting(this.#next(), ({ name: own }) => own, name === '-iname');
      case '-path':
      case '-wholename':
      case '-ipath':
      case '-iwholename':
        return fitting(this.#next(), ({ path }) => path, name.startsWith('-i'));
      case '-type':
        return ofType(this.#next() ?? '');
      case '-maxdepth':
        this.maxDepth = Number(this.#next());
        return always;
      case '-mindepth':
        this.minDepth = Number(this.#next());
        return always;
      case '-prune':
        return (visit, isCertain) => {
          // Where it is doubtful whether a folder is left out, nothing below it is certain.
          if (isCertain || visit.file.isFolder) visit.isPruned = true;
          return true;
        };
      case '-delete':
        return acting('delete');
      case '-print':
      case '-print0':
        this.prints = true;
        return acting('print');
      case '-exec':
      case '-execdir':
      case '-ok':
      case '-okdir': {
        const program: Text[] = [];
        for (let word = this.#next(); word !== undefined && word !== ';'; word = this.#next()) {
          if (word === '+' && program.at(-1) === '{}') break;
          program.push(word);
        }
        return acting({ program });
      }
      default:
        if (flags.has(name)) return always;
        if (!doubtfulFlags.has(name)) this.#next();
        return () => undefined;
    }
  }

  #next(): Text | undefined {
    const word = this.#words[this.#at];
    this.#at += 1;
    return word;
  }

  #takes(...words: readonly string[]): boolean {
    if (!words.includes(this.#words[this.#at] ?? '')) return false;
    this.#at += 1;
    return true;
  }
}

const always: Test = () => true;

const acting =
  (action: FindAction): Test =>
  ({ actions }, isCertain) => {
    if (isCertain) actions.push(action);
    return true;
  };

function fitting(pattern: Text | undefined, of: (file: FoundFile) => string, caseless: boolean): Test {
  return ({ file }) =>
    pattern === undefined || !isKnown(pattern) ? undefined : fitsPattern(pattern, of(file), caseless);
}

function ofType(types: Text): Test {
  const wanted = types.split(',');
  return ({ file }) => {
    if (wanted.includes('d') && file.isFolder) return true;
    if (wanted.includes('f') && !file.isFolder) return true;
    return wanted.every((type) => type === 'd' || type === 'f') ? false : undefined;
  };
}

/** Without an argument, and true for every file. */
const flags: ReadonlySet<string> = new Set(
  '-true -ls -depth -d -xdev -mount -follow -daystart -noleaf -nowarn -warn'.split(' '),
);

/** Without an argument, and only the run knows. */
const doubtfulFlags: ReadonlySet<string> = new Set(
  '-empty -readable -writable -executable -nouser -nogroup -false -quit'.split(' '),
);
