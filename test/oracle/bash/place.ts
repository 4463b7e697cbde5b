/** What is true of a whole script, gathered while it is written. */
export interface Note {
  /** Parts of it may not run, or run several times. */
  branches: boolean;
  /** Some words depend on what only the run knows. */
  isDynamic: boolean;
  /** Parts of it run at the same time, or later than they stand. */
  isUnordered: boolean;
  /** It has text evaluated, so that text may be a call. */
  evaluates: boolean;
  /** It writes files. */
  writes: boolean;
  calls: number;
}

/** Where a part of a script is written, and what the shell there knows. */
export class Place {
  readonly note: Note;
  /** Nothing here is run: the place is a string, a comment, a here-document to a file. */
  readonly isText: boolean;
  /** The names that this shell has set. */
  readonly variables: ReadonlySet<string>;
  readonly functions: readonly string[];
  readonly hasArguments: boolean;
  /** Here-documents that were opened on this line, with their ends. */
  readonly pending: string[] = [];
  readonly isLoop: boolean;
  /** A program starts what stands here, so that the shell's own words (`command`, `time`) mean nothing. */
  readonly isStarted: boolean;

  constructor(note: Note, more: Partial<Omit<Place, 'note' | 'pending'>> = {}) {
    this.note = note;
    this.isText = more.isText ?? false;
    this.variables = more.variables ?? new Set();
    this.functions = more.functions ?? [];
    this.hasArguments = more.hasArguments ?? false;
    this.isLoop = more.isLoop ?? false;
    this.isStarted = more.isStarted ?? false;
  }

  with(more: Partial<Omit<Place, 'note' | 'pending'>>): Place {
    return new Place(this.note, { ...this, ...more });
  }

  /** A list of commands of its own inside of this place. */
  block(): Place {
    return this.with({ isStarted: false });
  }

  /** As {@link block}, where `break` leads nowhere. */
  subshell(): Place {
    return this.with({ isLoop: false, isStarted: false });
  }

  /** A shell of its own, which knows what was exported. */
  process(hasArguments: boolean): Place {
    return this.with({
      functions: [],
      hasArguments,
      isLoop: false,
      isStarted: false,
      variables: exportedOf(this.variables),
    });
  }

  text(): Place {
    return new Place({ ...this.note }, { ...this, isText: true });
  }

  /** The word that marks a program call: `t7`; in text, which must never be taken for a call, `x7`. */
  mark(): string {
    this.note.calls += 1;
    return `${this.isText ? 'x' : 't'}${this.note.calls}`;
  }

  /** The place of words that a program starts. */
  started(): Place {
    return this.with({ isStarted: true });
  }

  uses(name: string): void {
    if (!this.variables.has(name)) this.note.isDynamic = true;
  }

  /** A variable that this shell has set, or, where the script is to be in the dark, any. */
  variable(index: number, isWild: boolean): string | undefined {
    const known = ['V', 'W', 'FOO', 'BAR'].filter((name) => this.variables.has(name));
    const name = isWild ? ['V', 'W', 'FOO', 'BAR'][index % 4] : known[index % Math.max(known.length, 1)];
    if (name !== undefined) this.uses(name);
    return name;
  }

  argument(text: string): string {
    return this.hasArguments ? text : 'none';
  }

  array(text: string): string {
    return this.variables.has('A') ? text : 'none';
  }

  /** What stands between two commands, with the here-documents of the line before it. */
  separator(text: string): string {
    if (this.pending.length === 0) return text;
    const bodies = this.pending.splice(0).join('');
    return `${text.trim() === ';' ? '' : text.trimEnd()}\n${bodies}`;
  }
}

const exportedOf = (names: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...names].filter((name) => name.startsWith('+')).flatMap((name) => [name, name.slice(1)]));
