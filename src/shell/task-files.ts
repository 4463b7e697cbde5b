import { hole, type Text } from './text.ts';

/** What a Makefile or a justfile says of one of its tasks. */
export interface Task {
  readonly name: string;
  /** The tasks that run before it. */
  readonly needs: readonly string[];
  /** The tasks that run after it. */
  readonly follows: readonly string[];
  /** The names of its arguments, with what they are where they are not given; `undefined`: they must be. */
  readonly params: readonly { readonly name: string; readonly value: Text | undefined; readonly takesRest: boolean }[];
  /** Scripts for a shell, each for one of its own, as they stand in the file. */
  readonly scripts: readonly Text[];
  /** It runs whatever files are there. */
  readonly isAlways: boolean;
}

export interface TaskFile {
  readonly tasks: ReadonlyMap<string, Task>;
  /** What runs where no task is named. */
  readonly first: string | undefined;
  /** Values by name; those that are given twice, or under a condition, are left out. */
  readonly values: ReadonlyMap<string, Text>;
}

/** A longer line that is no recipe is left out, in UTF-16 units. */
const longestLine = 2_000;

const noTasks: TaskFile = { tasks: new Map(), first: undefined, values: new Map() };

class Builder {
  readonly tasks = new Map<string, Task>();
  readonly values = new Map<string, Text>();
  readonly #twice = new Set<string>();
  first: string | undefined;

  add(task: Task): void {
    const before = this.tasks.get(task.name);
    // A rule may give a target more to wait for; two recipes are none.
    if (before && before.scripts.length > 0 && task.scripts.length > 0) this.tasks.delete(task.name);
    else if (before) {
      const scripts = [...before.scripts, ...task.scripts];
      this.tasks.set(task.name, { ...task, scripts, needs: [...before.needs, ...task.needs] });
    } else this.tasks.set(task.name, task);
  }

  set(name: string, value: Text | undefined): void {
    if (value === undefined || this.#twice.has(name)) this.values.delete(name);
    else this.values.set(name, value);
    this.#twice.add(name);
  }
}

/**
 * Reads a Makefile as far as it is plain: rules with literal targets and recipes, and variables that are given one literal
 * value. What stands under a condition, in a `define` or in an included file, and rules with patterns, are left out.
 * Source: the manual of GNU make 4.4.
 */
export function readMakefile(text: Text): TaskFile {
  const found = new Builder();
  const phony = new Set<string>();
  let open: { names: readonly string[]; needs: readonly string[]; lines: Text[] } | undefined;
  let conditions = 0;
  let isDefine = false;
  let isOneShell = false;
  const close = () => {
    for (const name of open?.names ?? []) {
      const lines = open?.lines ?? [];
      found.add({ name, needs: open?.needs ?? [], follows: [], params: [], scripts: lines, isAlways: false });
      found.first ??= name;
    }
    open = undefined;
  };
  for (const line of logicalLines(text)) {
    if (isDefine) {
      isDefine = !/^\s*endef\b/.test(line);
      continue;
    }
    if (line.startsWith('\t')) {
      if (open && conditions === 0) open.lines.push(line.slice(1));
      // A recipe with a condition in it is not known.
      else if (open) open = { ...open, names: [] };
      continue;
    }
    if (line.length > longestLine) continue;
    const plain = line.replace(/(^|\s)#.*$/, '').trim();
    if (plain === '') continue;
    if (/^(?:ifeq|ifneq|ifdef|ifndef)\b/.test(plain)) {
      conditions += 1;
      continue;
    }
    if (/^endif\b/.test(plain)) conditions -= 1;
    if (/^(?:endif|else|include|-include|sinclude|export|unexport|vpath)\b/.test(plain)) continue;
    close();
    if (/^define\b/.test(plain)) {
      isDefine = true;
      continue;
    }
    const [, name, operator = '', value = ''] =
      /^(?:override\s+)?([\w.-]+)\s*(::?:?=|\?=|\+=|!=|=)\s*(.*)$/.exec(plain) ?? [];
    if (name !== undefined) {
      const isPlain = conditions === 0 && operator !== '+=' && operator !== '!=';
      if (name === 'SHELL' && !/(?:^|\/)(?:sh|bash|dash|zsh)$/.test(value)) return noTasks;
      found.set(name, isPlain ? value : undefined);
      continue;
    }
    const [, targets = '', rest = ''] = /^([^:=]+?)\s*::?(?!=)\s*(.*)$/.exec(plain) ?? [];
    if (targets === '' || /[%$]/.test(targets)) continue;
    const [needs = '', ...recipe] = rest.split(';');
    if (targets === '.PHONY') for (const one of needs.split(/\s+/)) phony.add(one);
    if (targets === '.ONESHELL') isOneShell = true;
    // What is set for one target only, and what a condition decides, is not known.
    if (targets.startsWith('.') || needs.includes('=') || conditions > 0) continue;
    const waits = needs.split(/[\s|]+/).filter((need) => need !== '');
    open = { names: targets.split(/\s+/), needs: waits, lines: recipe.length > 0 ? [recipe.join(';').trim()] : [] };
  }
  close();
  for (const [name, task] of found.tasks) {
    const scripts = isOneShell ? [task.scripts.join('\n')] : task.scripts;
    found.tasks.set(name, { ...task, scripts, isAlways: phony.has(name) });
  }
  return { tasks: found.tasks, first: found.values.get('.DEFAULT_GOAL') ?? found.first, values: found.values };
}

/** Lines, with those joined that end in a backslash. */
function logicalLines(text: Text): readonly Text[] {
  const lines: Text[] = [];
  let open = '';
  for (const line of text.split('\n')) {
    if (/(?:^|[^\\])(?:\\\\)*\\$/.test(line)) {
      open += line.startsWith('\t') || open.startsWith('\t') ? `${line}\n` : line.slice(0, -1);
      continue;
    }
    lines.push(open + line);
    open = '';
  }
  if (open !== '') lines.push(open);
  return lines;
}

/**
 * Reads a justfile as far as it is plain. A recipe that asks first, or that is for some systems only, is left out. Source:
 * the manual of just 1.40.
 */
export function readJustfile(text: Text): TaskFile {
  const found = new Builder();
  const lines = text.split('\n');
  let attributes = '';
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^\s*(?:#.*)?$/.test(line) || /^\s/.test(line) || line.length > longestLine) continue;
    if (/^set\s+(?:windows-)?shell\b/.test(line) && !/["'](?:ba|da|z)?sh["']/.test(line)) return noTasks;
    if (/^(?:set|import|mod|export\s)/.test(line)) continue;
    if (line.startsWith('[')) {
      attributes += line;
      continue;
    }
    const [, alias, of] = /^alias\s+([\w-]+)\s*:=\s*([\w-]+)/.exec(line) ?? [];
    if (alias !== undefined && of !== undefined) {
      found.add({ name: alias, needs: [of], follows: [], params: [], scripts: [], isAlways: true });
      continue;
    }
    const [, name, value = ''] = /^([\w-]+)\s*:=\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      found.set(name, /^(?:'[^']*'|"[^"\\]*")\s*$/.test(value) ? value.trim().slice(1, -1) : undefined);
      continue;
    }
    const header = /^@?([A-Za-z_][\w-]*)([^:]*):(?!=)(.*)$/.exec(line);
    const body: string[] = [];
    while (at + 1 < lines.length && /^(?:\s|$)/.test(lines[at + 1] ?? '')) {
      at += 1;
      body.push(lines[at] ?? '');
    }
    if (header && !/confirm|script|windows|macos|linux|unix|openbsd/.test(attributes)) {
      const [needs = '', after = ''] = (header[3] ?? '').split('&&');
      const params = paramsOf(header[2] ?? '');
      if (params) {
        const scripts = recipeScripts(body);
        found.first ??= header[1];
        found.add({
          name: header[1] ?? '',
          needs: namesIn(needs),
          follows: namesIn(after),
          params,
          scripts,
          isAlways: true,
        });
      }
    }
    attributes = '';
  }
  return { tasks: found.tasks, first: found.first, values: found.values };
}

/** Tasks that are named without arguments; one with arguments is left out. */
const namesIn = (text: string): readonly string[] =>
  text.replaceAll(/\([^)]*\)|#.*$/g, ' ').match(/[A-Za-z_][\w-]*/g) ?? [];

function paramsOf(text: string): Task['params'] | undefined {
  const params: Task['params'][number][] = [];
  let rest = text.trim();
  while (rest !== '') {
    const found = /^([*+]?)\$?([\w-]+)(?:\s*=\s*('[^']*'|"[^"]*"|\w+))?\s*/.exec(rest);
    if (!found) return undefined;
    const [whole, star = '', name = '', value] = found;
    const text =
      value === undefined ? (star === '*' ? '' : undefined) : /^['"]/.test(value) ? value.slice(1, -1) : hole;
    params.push({ name, value: text, takesRest: star !== '' });
    rest = rest.slice(whole.length);
  }
  return params;
}

/** Each line is a script of its own, unless the first one names the shell that gets them all. */
function recipeScripts(body: readonly string[]): readonly Text[] {
  const lines = body.filter((line) => line.trim() !== '');
  const indent = /^\s*/.exec(lines[0] ?? '')?.[0].length ?? 0;
  const plain = lines.map((line) => line.slice(indent));
  const [first = ''] = plain;
  if (first.startsWith('#!')) return /\b(?:ba|da|z|k)?sh\b/.test(first) ? [plain.join('\n')] : [];
  return plain
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => !line.startsWith('#'));
}

/** What stands in a script of a Makefile for something else: `$(NAME)`, `$@`, `$$`. */
export function fillMake(script: Text, meaning: (name: string) => Text | undefined): Text {
  const plain = script.replace(/^[\s@+-]+/, '');
  return plain.replaceAll(
    /\$(?:\$|\((\w+)\)|\{(\w+)\}|\([^()]*\)|\{[^{}]*\}|([\s\S]))/g,
    (part, ...[round, curly, letter]: readonly (string | undefined)[]) => {
      if (part === '$$') return '$';
      const name = round ?? curly ?? letter;
      return (name === undefined ? undefined : meaning(name)) ?? hole;
    },
  );
}

/** What stands in a script of a justfile for something else: `{{name}}`. */
export function fillJust(script: Text, meaning: (name: string) => Text | undefined): Text {
  const plain = script.startsWith('#!') ? script : script.replace(/^[@-]+\s*/, '');
  return plain.replaceAll(
    /\{\{\{\{|\{\{\s*([\w-]+)\s*\}\}|\{\{[\s\S]{0,500}?\}\}/g,
    (part, name: string | undefined) =>
      part === '{{{{' ? '{{' : ((name === undefined ? undefined : meaning(name)) ?? hole),
  );
}
