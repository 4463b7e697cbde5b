import { fitsSoon } from './harmless.ts';
import { nearest } from './nearest.ts';
import { codePattern, conventional, namePattern } from './patterns.ts';

/** What is wrong with one value, and what to do; both without a full stop, for `Mistake`. */
export interface Flaw {
  readonly problem: string;
  readonly fix: string;
  /** The key below the judged table that the flaw is about. */
  readonly at?: string;
}

export function textFlaw(text: string): Flaw | undefined {
  if (text.trim() === '') return { problem: 'the text is empty', fix: 'write something or take it out' };
}

/** Takes out what is only there to be seen: a name in a message is one line, and not a long one. */
export function quoteValue(text: string): string {
  const shown = text.length > 80 ? `${text.slice(0, 77)}...` : text;
  return `\`${shown.replaceAll(/\s/g, ' ')}\``;
}

export function globFlaw(glob: string): Flaw | undefined {
  if (glob.trim() === '') return { problem: 'the glob is empty', fix: 'write a glob such as `src/**` or take it out' };
  const problem = (what: string): string => `bad glob ${quoteValue(glob)}: ${what}`;
  if (glob !== glob.trim()) return { problem: problem('it has spaces around it'), fix: 'take them out' };
  if (glob.length > 10_000) return { problem: problem('it is too long'), fix: 'write several globs' };
  if (/^(?:\.?\/)*!(?!\()/.test(glob)) {
    return {
      problem: problem('`!` at the start means everything else'),
      fix: 'name the exceptions in `allow` or `exclude`',
    };
  }
  if (/^(?:\.\/)*\.\.(?:\/|$)|\/\.\.(?:\/|$)/.test(glob)) {
    return { problem: problem('it has `..` in it'), fix: 'write it from the folder of the config on' };
  }
  if (/^[A-Za-z]:[\\/]/.test(glob) || glob.startsWith('~')) {
    return { problem: problem('it is an absolute path'), fix: 'write it from the folder of the config on' };
  }
  if (/\\[A-Za-z0-9_]/.test(glob)) {
    return { problem: problem('a backslash parts nothing'), fix: 'write `/` between folders' };
  }
  const open = unclosed(glob);
  if (open === '') return undefined;
  const escaped = `\\${open}`;
  return {
    problem: problem(`\`${open}\` has no partner`),
    fix: `close it, or write \`${escaped}\` for the character itself`,
  };
}

/** The first bracket, brace or parenthesis without a partner. */
function unclosed(glob: string): string {
  if (!/[[\]{}()]/.test(glob)) return '';
  const open: string[] = [];
  for (let index = 0; index < glob.length; index += 1) {
    const char = glob.charAt(index);
    if (char === '\\') index += 1;
    else if (char === '[') {
      // Right behind the opening bracket, a closing one is a member: `[]a]`.
      const first = /[\^!]/.test(glob.charAt(index + 1)) ? index + 2 : index + 1;
      const close = glob
        .slice(first)
        .replaceAll(/\[:[a-z]+:\]|\\./g, (part) => '.'.repeat(part.length))
        .indexOf(']', 1);
      if (close < 0) return '[';
      index = first + close;
    } else if (char === '{' || char === '(') open.push(char);
    else if (char === '}' || char === ')') {
      if (open.pop() !== (char === '}' ? '{' : '(')) return char;
    } else if (char === ']') return char;
  }
  return open[0] ?? '';
}

export function regexFlaw(source: string): Flaw | undefined {
  if (source === '') return { problem: 'the pattern is empty', fix: 'write a regular expression' };
  try {
    codePattern(source);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const why = error.message.replace(/^Invalid regular expression: \/.*\/[a-z]*: /s, '');
    return {
      problem: `bad regular expression ${quoteValue(source)}: ${why.charAt(0).toLowerCase()}${why.slice(1)}`,
      fix: regexFix(source),
    };
  }
}

function regexFix(source: string): string {
  if (/\(\?[a-z]*i[a-z]*\)/.test(source)) return 'name both cases instead of `(?i)`, as in `[Tt]odo`';
  if (source.includes('(?P<')) return 'write a named group as `(?<name>…)`';
  if (/\\[AzZ]/.test(source)) return 'use `^` for the start and `$` for the end';
  if (/[+*?}]\+/.test(source)) return 'take out the second quantifier; `++` and its like do not exist in JavaScript';
  return 'mend it as a JavaScript regular expression';
}

/** A name pattern as a plain string. */
export const namePatternFlaw = (source: string): Flaw | undefined => regexFlaw(source);

/** A commit pattern as a plain string, or the name of the preset. */
export function presetFlaw(source: string): Flaw | undefined {
  if (source === conventional.name) return undefined;
  if (/^[A-Za-z -]+$/.test(source) && (nearest(source, [conventional.name]) || /^conventional/i.test(source))) {
    return { problem: `unknown preset ${quoteValue(source)}`, fix: `did you mean \`${conventional.name}\`?` };
  }
  return regexFlaw(source);
}

export function exampleFlaw({ pattern, example }: { pattern: string; example?: string | undefined }): Flaw | undefined {
  if (example === undefined || regexFlaw(pattern)) return undefined;
  // Of a pattern that may take for ever nothing is known.
  if (fitsSoon(namePattern(pattern), example) !== false) return undefined;
  return {
    problem: `the example ${quoteValue(example)} does not match the pattern`,
    fix: 'mend one of the two',
    at: 'example',
  };
}

export function branchFlaw(name: string): Flaw | undefined {
  if (name.trim() === '')
    return { problem: 'the branch name is empty', fix: 'write a name such as `main` or take it out' };
  if (/\s/.test(name))
    return {
      problem: `the branch name ${quoteValue(name)} has a space in it`,
      fix: 'write a list for several branches',
    };
  const short = /^refs\/heads\/(.+)/.exec(name)?.[1];
  if (short) return { problem: `${quoteValue(name)} is a full ref`, fix: `write the branch name: \`${short}\`` };
  if (name.startsWith('!')) {
    return { problem: `${quoteValue(name)} starts with \`!\``, fix: 'name the branches that are protected' };
  }
  if (unclosed(name) !== '') {
    return { problem: `bad glob ${quoteValue(name)}: \`${unclosed(name)}\` has no partner`, fix: 'close it' };
  }
}

export function hooksPathFlaw(path: string): Flaw | undefined {
  if (path.trim() === '') return { problem: 'the path is empty', fix: 'write a folder such as `.githooks`' };
  const problem = (what: string): string => `${quoteValue(path)} ${what}`;
  const fix = 'write a folder from the top of the repo, such as `.githooks`';
  if (/^[/~\\]|^[A-Za-z]:/.test(path)) return { problem: problem('is an absolute path'), fix };
  if (path.includes('\\')) return { problem: problem('has a backslash in it'), fix: 'write `/` between folders' };
  if ([...path].some((char) => char < ' ')) return { problem: problem('has a control character in it'), fix };
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return { problem: problem('has `..` in it'), fix };
  if (parts.length === 0) return { problem: problem('is the top of the repo'), fix };
  if (parts[0]?.toLowerCase() === '.git') return { problem: problem('is not committed with the repo'), fix };
}

export function skipVariableFlaw(name: string): Flaw | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return {
      problem: `${quoteValue(name)} can't be the name of a variable`,
      fix: 'use letters, digits and `_`, as in `CAGR_SKIP`',
    };
  }
  if (['CI', 'HOME', 'LANG', 'LOGNAME', 'PATH', 'PWD', 'SHELL', 'TERM', 'TMPDIR', 'USER'].includes(name)) {
    return {
      problem: `\`${name}\` is often set, so the git hooks would never run`,
      fix: 'choose a name of its own, such as `CAGR_SKIP`',
    };
  }
}

/** A command that gets no files: `pre_push`. */
export function plainCommandFlaw(command: string): Flaw | undefined {
  if (command.trim() === '') return { problem: 'the command is empty', fix: 'write a command or take it out' };
  const placeholder = command.includes('{files}') ? '{files}' : misspeltPlaceholder(command);
  if (placeholder)
    return { problem: `\`${placeholder}\` means nothing here, for a push has no list of files`, fix: 'take it out' };
}

/** A command of a stack. */
export function checkCommandFlaw(command: string): Flaw | undefined {
  if (command.trim() === '') return { problem: 'the command is empty', fix: 'write a command or take it out' };
  const placeholder = misspeltPlaceholder(command);
  if (placeholder) return { problem: `unknown placeholder \`${placeholder}\``, fix: 'did you mean `{files}`?' };
}

const otherPlaceholders = new Set(['path', 'paths', 'filename', 'filenames', 'filepath', 'filepaths']);

/** `{file}` and its like. `${file}` is the shell's, and so are braces around a list. */
function misspeltPlaceholder(command: string): string | undefined {
  for (const [placeholder, word = ''] of command.matchAll(/(?<!\$)\{\{?\s*([A-Za-z_]+)\s*\}?\}/g)) {
    if (placeholder === '{files}') continue;
    const plain = word.toLowerCase().replaceAll('_', '');
    if (otherPlaceholders.has(plain) || nearest(plain, ['files']) !== undefined) return placeholder;
  }
}

/** A pattern of `[commands] blocked`. */
export function blockedCommandFlaw(command: string): Flaw | undefined {
  const words = command.trim().split(/\s+/);
  if (words[0] === '') return { problem: 'the command is empty', fix: 'write its words, as in `prisma db push`' };
  const odd = /[|;&<>`"'$()\\]/.exec(command)?.[0];
  if (odd) {
    return {
      problem: `${quoteValue(command)} has ${quoteValue(odd)} in it, but a pattern is plain words`,
      fix: 'write the program and its words alone, as in `prisma db push`',
    };
  }
  if (words[0]?.startsWith('-')) {
    return {
      problem: `${quoteValue(command)} starts with an option`,
      fix: 'start with the program, as in `terraform apply`',
    };
  }
  const part = words.find((word) => word.includes('*') && word !== '*' && !word.startsWith('-'));
  if (part)
    return {
      problem: `\`*\` stands for a whole word, not for a part of ${quoteValue(part)}`,
      fix: 'write `*` by itself',
    };
  if (words.every((word) => word === '*')) {
    return { problem: `${quoteValue(command)} blocks every command`, fix: 'name the program, as in `prisma db push`' };
  }
}

export function extensionFlaw(extension: string): Flaw | undefined {
  if (extension.replace(/^\./, '') === '')
    return { problem: 'the extension is empty', fix: 'write one such as `ts` or take it out' };
  if (/[*?[\]{}/\\\s,]/.test(extension)) {
    const plain = extension.replace(/^\*+\.?/, '');
    const fix = /^[\w.]+$/.test(plain)
      ? `write \`${plain}\``
      : 'write extensions one by one, as in `ts`, or use `paths`';
    return { problem: `${quoteValue(extension)} is not an extension`, fix };
  }
}

export function stackNameFlaw(name: string): Flaw | undefined {
  if (name.trim() === '') return { problem: 'the stack has no name', fix: 'name it, as in `[stacks.typescript]`' };
}

export function ruleNameFlaw(id: string): Flaw | undefined {
  if (/^[A-Za-z0-9][\w./-]*$/.test(id)) return undefined;
  return {
    problem: `${quoteValue(id)} can't be the id of a rule`,
    fix: 'use letters, digits and `-`, as in `no-focused-tests`',
  };
}

export function timeoutFlaw(seconds: number): Flaw | undefined {
  if (seconds > 0 && seconds <= 86_400) return undefined;
  return { problem: `a timeout of ${seconds} seconds makes no sense`, fix: 'write seconds, from 1 to 86400' };
}

export function headingFlaw(heading: string): Flaw | undefined {
  const plain = heading.replace(/^#+/, '').trim();
  if (plain === '') return { problem: 'the heading is empty', fix: 'write its words, as in `Testing`' };
  if (heading.startsWith('#'))
    return {
      problem: `${quoteValue(heading)} has its level in it, but any level counts`,
      fix: `write ${quoteValue(plain)}`,
    };
  if (heading.includes('\n'))
    return { problem: 'the heading has more than one line', fix: 'write one string per heading' };
}

export function testFlaw(test: { command?: string | undefined; file?: string | undefined }): Flaw | undefined {
  if (test.command !== undefined && test.file !== undefined) {
    return { problem: 'a test has either a `command` or a `file`', fix: 'make two tests of it', at: 'file' };
  }
  if (test.command === undefined && test.file === undefined) {
    return { problem: 'the test has neither a `command` nor a `file`', fix: 'add one of them' };
  }
}
