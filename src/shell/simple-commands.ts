import { type Call, type Feed, type Redirection as OpenRedirect, type Outcome, silent } from './call.ts';
import { filePlace } from './folders.ts';
import type { Frame, ScriptReader } from './frame.ts';
import type { ArgWord, Via } from './invocation.ts';
import { fileText } from './outputs.ts';
import type { Assignment, Command, Redirection, SyntaxNode, Word } from './parse.ts';
import { runProgram } from './programs.ts';
import type { Variable } from './scope.ts';
import { hole, isKnown, longestText, type Text } from './text.ts';
import { expandFields, expandHereDoc, expandText } from './words.ts';

interface Opened {
  readonly files: readonly OpenRedirect[];
  readonly feed: Feed | undefined;
  /** What comes out of stdout if what the command prints goes somewhere else. */
  readonly stdout: Text | undefined;
}

/** Reads what stands between two operators: words, assignments and redirects. */
export class SimpleCommands {
  readonly #reader: ScriptReader;
  #lastEnv: ReadonlyMap<string, ArgWord> | undefined;

  constructor(reader: ScriptReader) {
    this.#reader = reader;
  }

  /** A block with redirects of its own. What they write is noted as a call of `:`, which is what bash makes of a bare redirect. */
  redirected(command: SyntaxNode, redirects: readonly Redirection[], frame: Frame): Outcome {
    const opened = this.#redirects(redirects, frame);
    const writes = opened.files.filter(({ operator }) => operator !== '<');
    for (const { target } of writes) {
      const path = filePlace(frame.scope.cwd, target);
      if (path !== null) frame.scope.setFile(path, hole);
    }
    if (writes.length > 0) {
      const [first] = redirects;
      const last = redirects.at(-1);
      const text = frame.source.slice(first?.pos, last?.end);
      this.#reader.emit(
        [':'],
        this.#call(frame, frame.scope.env(), { ...opened, files: writes, feed: undefined }, text),
      );
    }
    const [only, ...others] = redirects;
    const isPlain = only?.operator === '>' && others.length === 0 && opened.stdout !== undefined;
    const place = isPlain ? filePlace(frame.scope.cwd, writes[0]?.target ?? hole) : null;
    const outcome = this.#reader.node(command, frame.in(frame.scope, opened.feed));
    // `{ …; } > file`: now it is known what was printed.
    if (place !== null) frame.scope.setFile(place, outcome.output);
    return opened.stdout === undefined ? outcome : { ...outcome, output: opened.stdout };
  }

  #call(frame: Frame, env: ReadonlyMap<string, ArgWord>, opened: Opened, text: string): Call {
    const { scope, via, elsewhere } = frame;
    return {
      scope,
      env,
      cwd: scope.cwd,
      shellFolder: scope.cwd,
      redirects: opened.files,
      feed: opened.feed,
      via,
      text,
      elsewhere,
      isShell: true,
    };
  }

  #redirects(redirects: readonly Redirection[], frame: Frame, program?: Text): Opened {
    if (redirects.length === 0) return { files: [], feed: frame.feed, stdout: undefined };
    const files: OpenRedirect[] = [];
    let feed = frame.feed;
    let stdout: Text | undefined;
    for (const redirect of redirects) {
      const descriptor = redirect.descriptor?.type === 'FileDescriptor' ? redirect.descriptor.value : undefined;
      const isStdin = redirect.descriptor === undefined || descriptor === 0;
      if (redirect.type === 'HereDoc') {
        const text = expandHereDoc(redirect, frame);
        if (isStdin) feed = { text, taken: false };
      } else if (redirect.type === 'HereString') {
        const text = redirect.target ? expandText(redirect.target, frame, true) : hole;
        if (isStdin) feed = { text: `${text}\n`, taken: false };
      } else if (redirect.target) {
        const target = expandText(redirect.target, frame);
        if (redirect.operator === '<&') continue;
        const copies = redirect.operator === '>&' && /^(\d+-?|-)$/.test(target);
        const isStdout = redirect.descriptor === undefined || descriptor === 1;
        if (redirect.operator.startsWith('<')) {
          if (isStdin) feed = { text: this.#input(target, frame, program), taken: false };
        } else if (isStdout && !(copies && target === '1')) {
          // What `>(…)` prints comes out where the command's own output would.
          stdout = redirect.target.text.startsWith('>(') ? hole : '';
        }
        if (!copies) files.push({ operator: redirect.operator, target });
      }
    }
    return { files, feed, stdout };
  }

  /** The text of a file that is fed by `<`. The disk is asked only for programs whose input a guard reads: a message or a body. */
  #input(file: Text, { scope }: Frame, program: Text | undefined): Text {
    if (program === 'gh' || program === 'git') return fileText(file, scope.cwd, scope, this.#reader.facts);
    const place = filePlace(scope.cwd, file);
    return (place === null ? this.#reader.processText(file) : scope.file(place)) ?? hole;
  }

  /** A simple command: assignments, words and redirects. */
  command(node: Command, frame: Frame): Outcome {
    const words: Text[] = node.name ? [...expandFields(node.name, frame)] : [];
    let end = node.name?.end ?? -1;
    for (const argument of node.args) {
      // The parser makes two words of `--file=<(…)`.
      const joined = argument.pos === end && argument.type === 'Word' ? words.pop() : undefined;
      end = argument.end;
      if (argument.type === 'Word' && joined !== undefined) {
        const [first = '', ...rest] = expandFields(argument, frame);
        words.push(joined + first);
        for (const word of rest) words.push(word);
      } else if (argument.type === 'Word') {
        // One by one: a list of arguments to `push` may be longer than the stack.
        for (const word of expandFields(argument, frame)) words.push(word);
      } else words.push(this.#argument(argument, frame));
    }
    const opened = this.#redirects(node.redirects, frame, words[0]);
    const text = frame.source.slice(node.pos, node.end);
    const assignments = node.prefix.filter((part): part is Assignment => part.type === 'Assignment');
    if (words.length === 0) {
      for (const assignment of assignments) this.#assign(assignment, frame);
      if (opened.files.some(({ operator }) => operator !== '<')) {
        runProgram([':'], this.#call(frame, frame.scope.env(), opened, text), this.#reader);
      }
      // `$(< file)` is bash's way to read a file; nothing else that has no word prints anything.
      const [only, ...others] = opened.files;
      const isRead = only?.operator === '<' && others.length === 0 && assignments.length === 0;
      return isRead
        ? { status: 'ok', output: fileText(only.target, frame.scope.cwd, frame.scope, this.#reader.facts) }
        : silent;
    }
    const { env, assigned } = this.#prefix(assignments, frame);
    const call = this.#call(frame, env, opened, text);
    if (words[0] === hole && words[1] !== undefined && isKnown(words[1]) && isWrapperVariable(node.name)) {
      const via: readonly Via[] = [...call.via, { kind: 'wrapper', text: node.name?.text ?? '' }];
      const outcome = this.#reader.run(words.slice(1), { ...call, via, isShell: false });
      return opened.stdout === undefined ? outcome : { ...outcome, output: opened.stdout };
    }
    const outcome = this.#reader.run(words, assigned ? { ...call, assigned } : call);
    this.#noteRedirects(opened, call, outcome);
    return opened.stdout === undefined ? outcome : { ...outcome, output: opened.stdout };
  }

  /**
   * The redirects of a command that is read itself (`bash -c '…' > file`, `eval`, a function) are those of no program, so
   * what they write is noted as a call of `:`.
   */
  #noteRedirects({ files }: Opened, call: Call, { output }: Outcome): void {
    const writes = files.filter(({ operator, target }) => operator !== '<' && !target.startsWith('/dev/'));
    if (writes.length === 0 || this.#reader.isNoted(call.redirects)) return;
    this.#reader.emit([':'], { ...call, redirects: writes, feed: undefined });
    const [only, ...others] = writes;
    const isPlain = only?.operator === '>' && others.length === 0;
    for (const { target } of writes) {
      const place = filePlace(call.shellFolder, target);
      if (place !== null) call.scope.setFile(place, isPlain ? output : hole);
    }
  }

  /** `NAME=value` as an argument of `export` and its like. An array's name is noted, and its items with it. */
  #argument(assignment: Assignment, frame: Frame): Text {
    const { name, value, append } = assignment;
    if (value.type === 'ArrayValue') {
      this.#assign(assignment, frame);
      return name;
    }
    const text = expandText(value, frame, true);
    return `${name}=${append ? (frame.scope.get(name)?.text ?? hole) + text : text}`;
  }

  #assign({ name, value, append, index }: Assignment, frame: Frame): void {
    const { scope } = frame;
    if (index) frame.readNested(index);
    if (value.type === 'ArrayValue') {
      const fields = value.elements.flatMap((word) => expandFields(word, frame, true));
      const isKeyed = value.elements.some((word) => word.text.startsWith('['));
      const before = append ? (scope.get(name)?.items ?? null) : [];
      const items = before === null || isKeyed || fields.length > 10_000 ? null : [...before, ...fields];
      scope.assign(name, items?.[0] ?? (items ? undefined : hole), items);
      return;
    }
    const text = expandText(value, frame, true);
    if (index) {
      scope.assign(name, hole, null);
      return;
    }
    const whole = append ? (scope.get(name)?.text ?? hole) + text : text;
    scope.assign(name, whole.length > longestText ? hole : whole);
  }

  /** The environment of a command, with the assignments in front of it; they hold for that command alone. */
  #prefix(
    assignments: readonly Assignment[],
    frame: Frame,
  ): { env: ReadonlyMap<string, ArgWord>; assigned?: ReadonlyMap<string, Variable> } {
    const base = frame.scope.env();
    if (base !== this.#lastEnv) {
      // A new copy was made for it, which is work.
      this.#reader.spend(base.size);
      this.#lastEnv = base;
    }
    if (assignments.length === 0 || !this.#reader.spend(base.size)) return { env: base };
    const scope = frame.scope.child();
    const inner = frame.in(scope);
    const assigned = new Map<string, Variable>();
    for (const assignment of assignments) {
      this.#assign(assignment, inner);
      const variable = { text: scope.get(assignment.name)?.text ?? '', exported: true };
      scope.set(assignment.name, variable);
      assigned.set(assignment.name, variable);
    }
    // What `${x:=y}` sets in a value stays, as the shell itself expands it.
    for (const name of scope.changed()) {
      const set = assigned.has(name) ? undefined : scope.get(name);
      if (set) frame.scope.set(name, set);
    }
    return { env: scope.env(), assigned };
  }
}

/** What a variable is called that holds a wrapper, or nothing: `$SUDO git push`. One like `$RUN` may as well hold `echo`. */
const wrapperNames: ReadonlySet<string> = new Set(['sudo', 'doas', 'nice', 'ionice', 'timeout', 'nohup']);

function isWrapperVariable(word: Word | undefined): boolean {
  const [part, ...others] = word?.parts ?? [];
  if (others.length > 0) return false;
  const isBare = part?.type === 'ParameterExpansion' && !part.prefix && !part.operation && !part.index;
  const name = part?.type === 'SimpleExpansion' ? part.text.slice(1) : isBare ? part.parameter : '';
  return name
    .toLowerCase()
    .split('_')
    .some((piece) => wrapperNames.has(piece));
}
