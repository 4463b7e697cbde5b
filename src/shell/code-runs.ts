import type { Call, Machine } from './call.ts';
import type { CodeCommand } from './code-commands.ts';
import { mayChange, readCodeCall, startedBy } from './code-languages.ts';
import { codeReader } from './code-reader.ts';
import { folderFrom } from './folders.ts';
import type { ArgWord, Via } from './invocation.ts';
import { Scope } from './scope.ts';
import { hole, quoteText, showText, type Text, toArg } from './text.ts';

/** Reads what the program starts that a call holds as a text: `python3 -c 'os.system("git push")'`, a heredoc to `node`. */
export function runCode(
  name: string,
  words: readonly Text[],
  stdin: Text | undefined,
  call: Call,
  machine: Machine,
): void {
  const code = readCodeCall(name, words);
  if (!code) return;
  const { language, file, isStdin, at } = code;
  const fed = isStdin ? stdin : file === undefined ? undefined : machine.scriptFile(file, call);
  const given = [...code.texts, ...(fed === undefined ? [] : [fed])];
  const texts = given.filter((text) => mayStart(text));
  if (texts.length === 0 && !given.some((text) => mayChange.test(text))) return;
  const read = codeReader.peek();
  if (!read) {
    machine.isPartial = true;
    return;
  }
  const via: readonly Via[] = [...call.via, { kind: 'shell', text: words.slice(0, at).map(showText).join(' ') }];
  for (const text of texts) {
    if (!machine.spend(1 + (text.length >> 4))) return;
    const started = startedBy(code, words);
    for (const found of read.commands(text, language, started)) runFound(found, { ...call, via }, machine);
  }
}

/** Whether a text may start a command at all: every way to do so has one of these in it. */
const mayStart = (text: Text): boolean =>
  /subprocess|os\.|system|exec|spawn|popen|child_process|execa|\$`|Bun|Deno|`|%x|qx|open|shell|asyncio|from os|passthru/i.test(
    text,
  );

function runFound({ words, script, folder, env }: CodeCommand, call: Call, machine: Machine): void {
  const cwd = folder === undefined ? call.cwd : folderFrom(call.cwd, folder);
  // A program that names a folder of its own has a reason: it is most often not this one.
  if (folder !== undefined && cwd === null) return;
  const inner = { ...call, cwd, env: withVariables(call.env, env), feed: undefined, redirects: [], isShell: false };
  if (script !== undefined) {
    if (script.trim() === '' || script === hole) return;
    const scope = Scope.process(cwd, inner.env, call.scope);
    machine.nested(() => machine.script(script, scope, inner));
    call.scope.adoptWorld(scope);
  } else if (words) {
    const text = words.map((word) => showText(quoteText(word))).join(' ');
    machine.nested(() => machine.run(words, { ...inner, shellFolder: cwd, text }));
  }
}

function withVariables(before: Call['env'], env: CodeCommand['env']): ReadonlyMap<string, ArgWord> {
  return env.length === 0 ? before : new Map([...before, ...env.map(([name, value]) => [name, toArg(value)] as const)]);
}
