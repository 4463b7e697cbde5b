import { dirname } from '../paths.ts';
import type { Call, Machine } from './call.ts';
import { folderFrom } from './folders.ts';
import type { Via } from './invocation.ts';
import { hasOption, type OptionGrammar, optionValue, scanOptions, scanWords, splitAssignment } from './options.ts';
import { Scope } from './scope.ts';
import { fillJust, fillMake, readJustfile, readMakefile, type Task, type TaskFile } from './task-files.ts';
import { taskReader } from './task-reader.ts';
import { isKnown, showText, type Text } from './text.ts';

const makeGrammar: OptionGrammar = {
  short: 'CfIoWE',
  attached: 'jlO',
  long: ['directory', 'file', 'makefile', 'include-dir', 'old-file', 'what-if', 'eval'],
};
const justGrammar: OptionGrammar = {
  short: 'fd',
  long: ['justfile', 'working-directory', 'color', 'dotenv-path', 'dotenv-filename', 'shell', 'shell-arg', 'set'],
};

/** How deep tasks that need each other are followed, and how many of one call. */
const deepest = 10;
const mostTasks = 50;
/** How many values that stand in values are followed. */
const deepestValue = 5;

interface Tool {
  read(text: Text): TaskFile;
  fill(script: Text, meaning: (name: string) => Text | undefined): Text;
  readonly names: readonly string[];
  readonly grammar: OptionGrammar;
  readonly fileOptions: readonly string[];
  /** Options with which nothing is run. */
  readonly idle: readonly string[];
}

const make: Tool = {
  read: readMakefile,
  fill: fillMake,
  names: ['GNUmakefile', 'makefile', 'Makefile'],
  grammar: makeGrammar,
  fileOptions: ['f', 'file', 'makefile'],
  idle: [
    'n',
    'dry-run',
    'just-print',
    'recon',
    'q',
    'question',
    't',
    'touch',
    'p',
    'print-data-base',
    'h',
    'help',
    'v',
    'version',
  ],
};

const just: Tool = {
  read: readJustfile,
  fill: fillJust,
  names: ['justfile', '.justfile', 'Justfile'],
  grammar: justGrammar,
  fileOptions: ['f', 'justfile'],
  idle: [
    'n',
    'dry-run',
    'l',
    'list',
    's',
    'show',
    'summary',
    'dump',
    'fmt',
    'check',
    'choose',
    'e',
    'edit',
    'h',
    'help',
    'V',
    'version',
    'evaluate',
    'variables',
    'init',
    'set',
    'd',
    'working-directory',
  ],
};

const tools: ReadonlyMap<string, Tool> = new Map([
  ['make', make],
  ['gmake', make],
  ['just', just],
]);

/** Reads what `make apply` or `just apply` is certain to run, as far as the checkout's Makefile or justfile is plain. */
function runTasks(name: string, words: readonly Text[], call: Call, machine: Machine): void {
  const tool = tools.get(name);
  if (!tool || call.cwd === null || !words.every(isKnown)) return;
  const given = wordsOf(tool, words);
  if (hasOption(given, ...tool.idle)) return;
  const found = fileOf(tool, optionValue(given, ...tool.fileOptions), call, machine);
  const key = `tasks ${found?.path ?? ''} ${words.join(' ')}`;
  if (!found || machine.running.has(key) || !machine.spend(1 + (found.text.length >> 4))) return;
  const file = tool.read(found.text);
  const settings = given.words.flatMap((word) => [splitAssignment(word)].filter((one) => one !== undefined));
  const goals = given.words.filter((word) => splitAssignment(word) === undefined);
  const via: readonly Via[] = [...call.via, { kind: 'script-file', text: words.map(showText).join(' ') }];
  const folder = tool === just ? dirname(found.path) : call.cwd;
  const run = new Run(
    tool,
    file,
    new Map(settings),
    { ...call, via, cwd: folder, redirects: [], feed: undefined },
    machine,
  );
  machine.running.add(key);
  machine.certainty.inFile(() => run.goals(goals.length > 0 ? goals : file.first === undefined ? [] : [file.first]));
  machine.running.delete(key);
}

/** What follows the name of a task is an argument of it for just, and more options for make. */
function wordsOf(tool: Tool, words: readonly Text[]) {
  if (tool === make) return scanWords(words, 1, tool.grammar);
  const { options, at } = scanOptions(words, 1, tool.grammar);
  return { options, words: words.slice(at) };
}

/** The file in the folder; just also looks above it. */
function fileOf(tool: Tool, named: Text | undefined, call: Call, machine: Machine) {
  const read = (file: string, cwd: string) => {
    const path = folderFrom(cwd, file);
    const text = machine.repoScript(file, { ...call, cwd });
    return path === null || text === undefined ? undefined : { path, text };
  };
  if (call.cwd === null) return undefined;
  if (named !== undefined) return read(named, call.cwd);
  const top = machine.facts.repo(call.cwd)?.top;
  for (let folder = call.cwd; ; folder = dirname(folder)) {
    for (const name of tool.names) {
      const found = read(name, folder);
      if (found) return found;
    }
    if (tool === make || folder === top || folder === dirname(folder)) return undefined;
  }
}

class Run {
  readonly #tool: Tool;
  readonly #file: TaskFile;
  readonly #settings: ReadonlyMap<string, Text>;
  readonly #call: Call;
  readonly #machine: Machine;
  readonly #done = new Set<string>();

  constructor(tool: Tool, file: TaskFile, settings: ReadonlyMap<string, Text>, call: Call, machine: Machine) {
    this.#tool = tool;
    this.#file = file;
    this.#settings = settings;
    this.#call = call;
    this.#machine = machine;
  }

  goals(words: readonly Text[]): void {
    for (let at = 0; at < words.length; ) {
      const task = this.#file.tasks.get(words[at] ?? '');
      at += 1;
      // What just takes as arguments of a task that is not known can't be told from more tasks.
      if (!task && this.#tool === just) return;
      if (!task) continue;
      const rest = task.params.some(({ takesRest }) => takesRest);
      const args = words.slice(at, rest ? words.length : at + task.params.length);
      at += args.length;
      this.#task(task, args, 0);
    }
  }

  #task(task: Task, args: readonly Text[], depth: number): void {
    if (this.#done.has(task.name) || depth > deepest || this.#done.size >= mostTasks) return;
    this.#done.add(task.name);
    for (const need of task.needs) this.#needed(need, depth);
    // A target that is there may need no making.
    const place = folderFrom(this.#call.cwd, task.name);
    const isMade = task.isAlways || (place !== null && !this.#machine.facts.exists(place));
    if (isMade) for (const script of task.scripts) this.#script(this.#tool.fill(script, this.#meaning(task, args)));
    for (const next of task.follows) this.#needed(next, depth);
  }

  #needed(name: string, depth: number): void {
    const task = this.#file.tasks.get(name);
    if (task) this.#task(task, [], depth + 1);
  }

  #script(script: Text): void {
    const { cwd, env, scope: outer } = this.#call;
    if (script.trim() === '' || !this.#machine.spend(1 + (script.length >> 4))) return;
    const scope = Scope.process(cwd, env, outer);
    scope.args = [];
    this.#machine.nested(() =>
      this.#machine.certainty.within('shell', () => this.#machine.script(script, scope, this.#call)),
    );
    outer.adoptWorld(scope);
  }

  #meaning(task: Task, args: readonly Text[], depth = 0): (name: string) => Text | undefined {
    return (name) => {
      if (name === 'MAKE') return 'make';
      if (name === '@') return task.name;
      if (name === '<') return task.needs[0];
      const index = task.params.findIndex((param) => param.name === name);
      const param = task.params[index];
      if (param)
        return param.takesRest && args.length > index ? args.slice(index).join(' ') : (args[index] ?? param.value);
      const value = this.#settings.get(name) ?? this.#file.values.get(name);
      if (value === undefined || depth >= deepestValue || this.#tool === just) return value;
      return this.#tool.fill(value, this.#meaning(task, args, depth + 1));
    };
  }
}

taskReader.bring({ run: runTasks });
