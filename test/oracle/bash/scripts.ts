// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is put together here are shell scripts.
import fc from 'fast-check';
import { type Note, Place } from './place.ts';
import {
  fixed,
  hereLine,
  type Nested,
  type Part,
  type Quoting,
  quoting,
  unlessSplit,
  valueWord,
  word,
} from './words.ts';

/** A generated script and what is known of it. `@TOP@` in it stands for the folder that it runs in. */
export interface Script extends Readonly<Note> {
  readonly text: string;
}

/** The programs that are replaced by the recorder. The reader takes the first ones for programs that read their stdin. */
export const programs = ['alpha', 'bravo', 'charlie', 'touch', 'mkdir', 'chmod', 'grep'] as const;
/** Programs that leave their stdin alone. */
export const deafPrograms: readonly string[] = ['touch', 'mkdir', 'chmod'];
/** The variables that the recorder writes down. */
export const watched = ['FOO', 'BAR'] as const;

type Arb = fc.Arbitrary<Part>;
type Weighted = { weight: number; arbitrary: Arb };

const maxDepth = 3;

/** The grammar at a depth: what stands inside something else is smaller. */
class Grammar {
  readonly #branches: boolean;
  readonly inner: Grammar | undefined;
  readonly word: Arb;
  readonly value: Arb;
  readonly script: Arb;
  readonly list: Arb;
  readonly statement: Arb;
  readonly call: Arb;

  constructor(depth: number, branches: boolean) {
    this.#branches = branches;
    this.inner = depth > 0 ? new Grammar(depth - 1, branches) : undefined;
    const nested: Nested | undefined = this.inner && { script: this.inner.list, word: this.inner.word };
    this.word = word(nested);
    this.value = valueWord(nested);
    this.call = this.#call();
    this.statement = this.#statement();
    this.list = list(
      fc.array(fc.tuple(this.statement, separators(branches)), {
        minLength: 1,
        maxLength: depth > 2 ? 4 : depth > 0 ? 2 : 1,
      }),
    );
    this.script = this.#script();
  }

  /** A script with the variables and functions that it starts with. */
  #script(): Arb {
    const { inner } = this;
    const assignments = fc.array(
      fc.tuple(
        fc.constantFrom('V=', 'W=', 'FOO=', 'BAR=', 'export FOO=', 'export BAR=', 'A='),
        fc.oneof({ weight: 3, arbitrary: plainValue }, { weight: 1, arbitrary: this.value }),
        this.word,
      ),
      {
        maxLength: 4,
      },
    );
    const functions = inner ? fc.array(fc.tuple(functionForm, inner.list), { maxLength: 2 }) : fc.constant([]);
    return fc.tuple(assignments, functions, this.list).map(
      ([variables, definitions, body]): Part =>
        (place) => {
          const known = new Set(place.variables);
          let text = '';
          for (const [start, value, other] of variables) {
            const here = place.with({ variables: new Set(known) });
            if (start === 'A=') text += `A=(${value(here)} ${other(here)})\n`;
            else text += `${start}${value(here)}\n`;
            const name = start.replace(/^export |=$/g, '').replace('=', '');
            known.add(name);
            if (start.startsWith('export')) known.add(`+${name}`);
          }
          const names: string[] = [];
          for (const [form, inside] of definitions) {
            const name = `fun${names.length}`;
            const here = place.with({ variables: known, functions: [...names], hasArguments: true, isLoop: false });
            text += `${form(name, inside(here))}\n`;
            names.push(name);
          }
          return text + body(place.with({ variables: known, functions: names }));
        },
    );
  }

  /** A program with its words, as it may stand after a wrapper. */
  #call(): Arb {
    const { inner } = this;
    const leaf = fc.tuple(programWord, fc.array(this.word, { maxLength: 2 })).map(
      ([program, words]): Part =>
        (place) =>
          [program(place), place.mark(), ...words.map((part) => part(place))].join(' '),
    );
    const options: Weighted[] = [{ weight: 8, arbitrary: leaf }];
    if (inner) {
      options.push(
        { weight: 2, arbitrary: shellCall(inner) },
        { weight: 2, arbitrary: wrapped(inner) },
        { weight: 1, arbitrary: found(inner) },
        { weight: 1, arbitrary: alias(inner) },
        { weight: 1, arbitrary: runner(inner) },
      );
    }
    return fc.oneof(...options);
  }

  #statement(): Arb {
    const { inner } = this;
    const command = fc.tuple(fc.array(this.#assignment(), { maxLength: 2 }), this.call, redirects(this.value)).map(
      ([assignments, call, redirect]): Part =>
        (place) => {
          // Assignments in front do not count for the words of the same command.
          // Only the first program of a substitution is given the assignment before it, which is bash's own business.
          const written = assignments.map((part) => part(place));
          const front = written.slice(1).some((text) => /\$\(|`/.test(text))
            ? written.slice(-1)
            : written.map((text) => text.replaceAll(':=', ':-'));
          return (
            [...front, call(front.length > 0 ? place.started() : place)].join(' ') +
            (redirect.text && ` ${redirect.text}`) +
            (front.length > 0 ? redirect.more(place).replaceAll(':=', ':-') : redirect.more(place))
          );
        },
    );
    const options: Weighted[] = [
      { weight: 10, arbitrary: command },
      { weight: 3, arbitrary: textOnly },
      { weight: 3, arbitrary: this.#state() },
      { weight: 2, arbitrary: move },
      { weight: 1, arbitrary: callFunction(this.word) },
      { weight: 2, arbitrary: fromVariable(this.word) },
      { weight: 1, arbitrary: plainShell(this.word) },
    ];
    if (inner) {
      options.push(
        { weight: 3, arbitrary: compound(inner) },
        { weight: 2, arbitrary: pipeline(inner) },
        { weight: 2, arbitrary: fed(inner) },
        { weight: 1, arbitrary: evaluated(inner) },
        { weight: 1, arbitrary: sideways(inner) },
      );
      if (this.#branches) options.push({ weight: 5, arbitrary: branching(inner, this.value) });
    }
    return fc.oneof(...options);
  }

  #assignment(): Arb {
    return fc.tuple(fc.constantFrom('FOO', 'BAR', 'V'), this.value).map(
      ([name, value]): Part =>
        (place) =>
          `${name}=${value(place)}`,
    );
  }

  /** Commands that change what the shell knows. */
  #state(): Arb {
    const { value } = this;
    const name = fc.constantFrom('V', 'W', 'FOO', 'BAR');
    const set = fc
      .tuple(
        fc.constantFrom('', '', '', 'export ', 'export ', 'declare ', 'declare -x ', 'typeset -x ', 'readonly R; '),
        name,
        fc.constantFrom('=', '=', '=', '+='),
        value,
      )
      .map(
        ([start, variable, operator, text]): Part =>
          (place) => {
            if (operator === '+=') place.uses(variable);
            return `${start}${variable}${operator}${text(place)}`;
          },
      );
    const using = (write: (variable: string) => string): Arb =>
      name.map(
        (variable): Part =>
          (place) => {
            place.uses(variable);
            return write(variable);
          },
      );
    return fc.oneof(
      { weight: 4, arbitrary: set },
      { weight: 2, arbitrary: using((variable) => `export ${variable}`) },
      {
        weight: 1,
        arbitrary: using((variable) => `export -n ${variable}`),
      },
      { weight: 1, arbitrary: name.map((variable) => fixed(`unset ${variable}`)) },
      {
        weight: 1,
        arbitrary: fc.tuple(name, this.word, this.word).map(
          ([, a, b]): Part =>
            (place) =>
              `set -- ${a(place)} ${b(place)}`,
        ),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(this.word, this.word).map(
          ([a, b]): Part =>
            (place) =>
              `A=(${a(place)} ${b(place)})`,
        ),
      },
      {
        weight: 1,
        arbitrary: this.word.map(
          (a): Part =>
            (place) =>
              place.variables.has('A') ? `A+=(${a(place)})` : `A=(${a(place)})`,
        ),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(name, value).map(
          ([variable, text]): Part =>
            (place) =>
              `read -r ${variable} <<< ${text(place)}`,
        ),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(name, value).map(
          ([variable, text]): Part =>
            (place) =>
              `printf -v ${variable} %s ${text(place)}`,
        ),
      },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom(
            'shift',
            'set -a',
            'set +a',
            'set -e',
            'set -u',
            ':',
            'true',
            'IFS=,',
            'unset IFS',
            'A[1]=z',
            'let V=1+1',
            '((V=3))',
          )
          .map(
            (text): Part =>
              (place) => {
                if (text === 'IFS=,') place.note.isDynamic = true;
                if (text === 'shift' && !place.hasArguments) return ':';
                if (text === 'set -e' || text === 'set -u') place.note.branches = true;
                return text;
              },
          ),
      },
    );
  }
}

/** Programs by name, by path, and with quotes in them. */
const programWord: Arb = fc.tuple(fc.constantFrom(...programs), fc.integer({ min: 0, max: 16 })).map(
  ([name, form]): Part =>
    () => {
      switch (form) {
        case 0:
          return `@TOP@/bin/${name}`;
        case 1:
          return `\\${name}`;
        case 2:
          return `"${name}"`;
        case 3:
          return `${name.slice(0, 2)}''${name.slice(2)}`;
        case 4:
          return `$'${name}'`;
        case 5:
          return `${name.slice(0, 2)}\\\n${name.slice(2)}`;
        case 6:
          return `@TOP@/bin/../bin/${name}`;
        case 7:
          return `"@TOP@"/bin/${name}`;
        default:
          return name;
      }
    },
);

const plainValue: Arb = fc.constantFrom('x', "'p q'", 'a/b.c', '""', "$'l\\nm'", 'ab', '7').map(fixed);

const functionForm: fc.Arbitrary<(name: string, body: string) => string> = fc.constantFrom(
  (name, body) => `${name}() {\n${body}\n}`,
  (name, body) => `function ${name} {\n${body}\n}`,
  (name, body) => `${name} () (\n${body}\n)`,
  (name, body) => `${name}() { ${closed(body)}}`,
);

/** A list, ready for a closing word on the same line. */
const closed = (body: string): string => (body.endsWith('\n') || body.endsWith('&') ? body : `${body}; `);

type Separator = '\n' | '; ' | ' && ' | ' || ' | ' & wait\n' | '\n\n' | ' # alpha x0\n' | ';';

const separators = (branches: boolean): fc.Arbitrary<Separator> =>
  branches
    ? fc.constantFrom<Separator>('\n', '; ', ' && ', ' || ', '\n', ' # alpha x0\n', ' & wait\n', ';')
    : fc.constantFrom<Separator>('\n', '; ', '\n', '\n\n', '; ', ' # alpha x0\n', ';');

/** Commands one after the other, with the here-documents of each line after it. */
const list = (items: fc.Arbitrary<[Part, Separator][]>): Arb =>
  items.map(
    (statements): Part =>
      (outer) => {
        const place = outer.block();
        let text = '';
        for (const [index, [statement, separator]] of statements.entries()) {
          text += statement(place);
          const isLast = index === statements.length - 1;
          if (isLast) text += place.separator('').replace(/^\n/, '\n');
          else {
            if (separator === ' && ' || separator === ' || ') place.note.branches = true;
            if (separator === ' & wait\n') place.note.isUnordered = true;
            text += place.separator(separator);
          }
        }
        return text;
      },
  );

/** Text that holds what looks like a command, and that no shell runs. */
const textOnly: Arb = fc
  .tuple(
    fc.constantFrom<(text: string, quote: Quoting) => string>(
      (text, quote) => `echo ${quote(text)}`,
      (text, quote) => `echo ${quote(text)} > /dev/null`,
      (text) => `# ${text}\n:`,
      (text) => `: <<'E'\n${text}\n$(${text})\nE\n`,
      (text, quote) => `W=${quote(text)}`,
      (text, quote) => `[ ${quote(text)} = y ]`,
      (text, quote) => `[[ ${quote(text)} == "${text}" ]]`,
      (text, quote) => `case ${quote(text)} in esac`,
      (text, quote) => `printf '%s\\n' ${quote(text)}`,
      (text) => `echo ${text}`,
      (text, quote) => `true ${quote(`$(${text})`)}`,
      (text) => `cat > o1 <<'E'\n${text}\nE\n`,
      (text) => `cat <<E > o2\n${text}; \\$(${text})\nE\n`,
      (text, quote) => `test -n ${quote(text)}`,
      (text) => `: '\n${text}\n'`,
      (text) => `: "a\n${text}\n"`,
    ),
    quoting,
    fc.constantFrom('alpha', 'bravo'),
  )
  .map(
    ([form, quote, name]): Part =>
      (place) => {
        const inside = place.text();
        const text = form(`${name} ${inside.mark()}`, quote);
        if (text.includes(' o1') || text.includes(' o2')) place.note.writes = true;
        if (!text.endsWith('E\n')) return text;
        const line = text.indexOf('\n');
        place.pending.push(text.slice(line + 1));
        return text.slice(0, line);
      },
  );

const move: Arb = fc
  .constantFrom(
    'cd a',
    'cd b',
    'cd ..',
    'cd @TOP@/a/b',
    'cd @TOP@/b',
    'cd @TOP@',
    'cd ./a',
    'cd a; cd -',
    'cd',
    'cd ~',
    'cd ~/a',
    'cd -P a',
    'cd -- b',
    'cd "a"',
    'cd .',
    'pushd a',
    'pushd @TOP@/b',
    'pushd a; popd',
    'cd @TOP@/a/../b',
    'cd $PWD/a',
    'cd b; cd "$OLDPWD"',
    'pushd b; pushd',
    'builtin cd a',
    'command cd b',
    'cd $(pwd)/a',
  )
  .map(
    (text): Part =>
      () =>
        `${text}`,
  );

/** Programs whose name comes out of a variable. */
const fromVariable = (argument: Arb): Arb =>
  fc
    .tuple(
      fc.constantFrom<(name: string, mark: string, words: string) => string>(
        (name, mark, words) => `P=${name}; $P ${mark} ${words}`,
        (name, mark, words) => `P=${name}\n"$P" ${mark} ${words}`,
        (name, mark, words) => `P='${name} ${mark}'; $P ${words}`,
        (name, mark, words) => `P="${name} ${mark} a  b"; \${P} ${words}`,
        (name, mark, words) => `C=(${name} ${mark} ${words}); "\${C[@]}"`,
        (name, mark, words) => `C=(${name} ${mark}); C+=(${words}); "\${C[@]}" z`,
        (name, mark, words) => `P=; \${P:-${name}} ${mark} ${words}`,
        (name, mark, words) => `P=${name.slice(0, 2)}; "$P"${name.slice(2)} ${mark} ${words}`,
        (name, mark, words) => `$(echo ${name}) ${mark} ${words}`,
        (name, mark, words) => `$(echo ${name} ${mark}) ${words}`,
        (name, mark, words) => `P=${name}; Q=P; \${!Q} ${mark} ${words}`,
        (name, mark, words) => `g() { ${name} ${mark} "$@"; }; g ${words}`,
        (name, mark, words) => `g() { local FOO=1; P=$1; shift; "$P" ${mark} "$@"; }; g ${name} ${words}`,
        (_, mark, words) => `bravo() { command bravo ${mark} "$@"; }; bravo ${words}; unset -f bravo`,
        (name, mark, words) => `set -- ${name} ${mark} ${words}; "$@"`,
        (name, mark, words) => `for P in ${name}; do $P ${mark} ${words}; done`,
        (name, mark, words) => `{${name},${mark}} ${words}`,
        (name, mark, words) => `${name} \\\n  ${mark} \\\n  ${words}`,
        (name, mark, words) => `<<< x FOO=1 ${name} ${mark} ${words}`,
        (name, mark, words) => `>/dev/null ${name} ${mark} ${words}`,
        (name, mark, words) => `P=echo; $($P ${name}) ${mark} ${words}`,
        (name, mark, words) => `printf -v P '%s' ${name}; $P ${mark} ${words}`,
        (name, mark, words) => `read -r P <<< ${name}; $P ${mark} ${words}`,
        (name, mark, words) => `read -r P Q <<< "${name} ${mark}"; $P $Q ${words}`,
        (name, mark, words) => `eval "${name} ${mark} \\"a b\\"" ${words.replaceAll(/[^\w ]/g, '')}`,
        (name, mark, words) => `export P=${name}; bash -c '$P ${mark} "$@"' _ ${words}`,
        (name, mark) => `echo "p q" | while read -r V W; do ${name} ${mark} "$V" "$W"; done`,
        (name, mark, words) => `f() ( cd a && ${name} ${mark} ); f; ${name} ${mark} ${words}`,
        (name, mark, words) => `g() { printf '%s ' ${name} ${mark}; }; $(g) ${words}`,
      ),
      fc.constantFrom(...programs),
      fc.array(argument, { maxLength: 2 }),
    )
    .map(
      ([form, name, words]): Part =>
        (place) => {
          const mark = place.mark();
          const text = form(name, mark, words.map((part) => part(place.with({ hasArguments: false }))).join(' '));
          if (/^(g\(|f\(|bravo|set --)/.test(text)) return `( ${text}\n)`;
          if (text.includes(' | ')) {
            place.note.isUnordered = true;
            place.note.branches = true;
          }
          return text;
        },
    );

/** Scripts for `sh`, which on some machines knows less than bash. */
const plainShell = (argument: Arb): Arb =>
  fc
    .tuple(
      fc.constantFrom<(call: string, mark: string, words: string) => string>(
        (call, _, words) => `sh -c '${call} "$1" "\${2:-none}"' sh ${words}`,
        (call, _, words) => `sh -c "${call} \\"\\$@\\"" - ${words}`,
        (call) => `sh <<'E'\n${call} 'a b'\nE\n`,
        (call) => `sh -s one <<E\n${call} "\\$1"\nE\n`,
        (call) => `echo '${call}; FOO=1 ${call}' | sh`,
        (call, _, words) => `find . -maxdepth 0 -exec sh -c '${call} "$@"' sh ${words} {} +`,
        (call) => `echo 'p q' | xargs sh -c '${call} "$@"' _`,
        (call) => `echo 'p q' | xargs -I{} sh -c '${call} {}'`,
        (call) => `sh -ec 'cd a && ${call}; (cd b; ${call}); ${call}'`,
        (call) => `sh -c 'if true; then ${call} a; else ${call} b; fi'`,
        (call) => `sh -c 'for i in 1 2; do ${call} $i; done'`,
        (call) => `sh -c 'f() { ${call} "$1"; }; f x; f "y z"'`,
        (call, mark) => `sh -c 'export FOO=1; BAR=2; ${call}; echo ${mark}'`,
      ),
      fc.constantFrom(...programs),
      fc.array(argument, { maxLength: 2 }),
    )
    .map(
      ([form, name, words]): Part =>
        (place) => {
          const mark = place.mark();
          const text = form(`${name} ${mark}`, mark, words.map((part) => part(place)).join(' '));
          place.note.branches ||= /^sh -ec|if true/.test(text);
          place.note.isDynamic ||= text.startsWith('find');
          if (text.includes(' | ')) {
            place.note.isUnordered = true;
            place.note.branches = true;
          }
          if (!text.endsWith('E\n')) return text;
          place.note.branches = true;
          const line = text.indexOf('\n');
          place.pending.push(text.slice(line + 1));
          return text.slice(0, line);
        },
    );

const callFunction = (argument: Arb): Arb =>
  fc.tuple(fc.nat(1), fc.array(argument, { maxLength: 2 })).map(
    ([index, words]): Part =>
      (place) => {
        const name = place.functions[index % Math.max(place.functions.length, 1)];
        return name === undefined ? ':' : [name, ...words.map((part) => part(place))].join(' ');
      },
  );

interface Redirect {
  readonly text: string;
  readonly more: Part;
}

/** Adds nothing, but notes that a file may be written. */
const noted: Part = (place) => {
  place.note.writes = true;
  return '';
};

const redirects = (value: Arb): fc.Arbitrary<Redirect> =>
  fc.oneof(
    { weight: 10, arbitrary: fc.constant<Redirect>({ text: '', more: fixed('') }) },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(
          '>/dev/null',
          '2>&1',
          '2>/dev/null',
          '>o1',
          '>> o1',
          '</dev/null',
          '&>/dev/null',
          '>/dev/null 2>&1',
          '3>o2',
          '>&2',
          '>| o1',
          '<&-',
        )
        .map((text): Redirect => ({ text, more: noted })),
    },
    { weight: 1, arbitrary: value.map((text): Redirect => ({ text: '', more: (place) => ` <<< ${text(place)}` })) },
    {
      weight: 1,
      arbitrary: fc.array(hereLine, { maxLength: 3 }).map(
        (lines): Redirect => ({
          text: '',
          more: (place) => hereDocument(place, lines.map((line) => line(place)).join('\n'), 'E'),
        }),
      ),
    },
  );

/** Opens a here-document; its body is written at the end of the line. */
function hereDocument(place: Place, body: string, delimiter: string, operator = '<<'): string {
  const end = delimiter.replaceAll(/['"\\]/g, '');
  place.pending.push(`${body}${body === '' || body.endsWith('\n') ? '' : '\n'}${end}\n`);
  return ` ${operator}${delimiter}`;
}

/** `bash -c` and its like. */
const shellCall = (inner: Grammar): Arb =>
  fc
    .tuple(
      fc.constantFrom(
        'bash -c',
        'bash -c',
        'bash -ec',
        'bash --norc -c',
        'bash -x -c',
        'bash +e -c',
        'bash -o pipefail -c',
        '/bin/bash -c',
        "'bash' -c",
      ),
      quoting,
      inner.script,
      fc.array(inner.word, { maxLength: 2 }),
      fc.boolean(),
    )
    .map(
      ([start, quote, script, words, named]): Part =>
        (place) => {
          if (start.includes('e')) place.note.branches ||= start.includes('-ec');
          const args = named ? ['name', ...words.map((part) => part(place))] : [];
          return [start, quote(script(place.process(true))), ...args].join(' ');
        },
    );

const wrapped = (inner: Grammar): Arb =>
  fc
    .tuple(
      fc.constantFrom(
        'env',
        'env -u FOO',
        'env FOO=1',
        "env BAR='a b'",
        'env -i HOME=@TOP@/b PATH=@TOP@/bin',
        'env -i HOME=@TOP@/b PATH=@TOP@/bin FOO=z',
        'env -- FOO=2',
        'env - HOME=@TOP@/b PATH=@TOP@/bin',
        'env -C @TOP@/a',
        'env --chdir=@TOP@/b',
        'env --unset=BAR FOO=',
        'env -uFOO',
        'nohup',
        'timeout 60',
        'timeout -s KILL 60',
        'timeout -k 5 60s',
        'timeout --signal=TERM 1m',
        'timeout --foreground 60',
        'nice',
        'nice -n 5',
        'nice -5',
        'nice --adjustment=1',
        'ionice',
        'ionice -c 3',
        'stdbuf -oL',
        'stdbuf -o 0 -e0',
        'setsid -w',
        'flock o1',
        'command',
        'command --',
        'command env',
        'sudo',
        'sudo -u root',
        'sudo -E',
        'sudo FOO=s',
        'sudo -n --',
        'doas',
        'time',
        'time -p',
        '/usr/bin/env',
        'nice timeout 60',
        'env nohup',
        "env -S 'FOO=1 nice'",
        'env -S"BAR=2"',
        "env --split-string='-u FOO'",
      ),
      inner.call,
    )
    .map(
      ([start, call]): Part =>
        (place) => {
          if (start.startsWith('flock')) place.note.writes = true;
          const isShells = /^(command|time)\b/.test(start);
          if (isShells && place.isStarted) return `nice ${call(place)}`;
          return `${start} ${call(isShells && !start.endsWith('env') ? place : place.started())}`;
        },
    );

const found = (inner: Grammar): Arb =>
  fc
    .tuple(
      fc.constantFrom(
        'find . -maxdepth 0 -exec',
        'find @TOP@ -maxdepth 0 -type d -execdir',
        'find . -maxdepth 0 -name . -exec',
        'find a b -maxdepth 0 -exec',
      ),
      fc.constantFrom(' {} \\;', " '{}' ';'", ' x{} \\;', ' \\;', ' {} +'),
      inner.call,
    )
    .map(
      ([start, end, call]): Part =>
        (place) => {
          place.note.isDynamic = true;
          // Where a folder is missing it runs less often.
          place.note.branches = true;
          return `${start} ${call(place.started())}${end}`;
        },
    );

const alias = (inner: Grammar): Arb =>
  fc.oneof(
    // Git hands an alias to sh, which may know less than bash.
    fc
      .tuple(
        quoting,
        fc.constantFrom('', 'env FOO=1 ', 'nice ', 'FOO=2 ', 'cd a && '),
        fc.constantFrom(...programs),
        fc.constantFrom('', ' "a b"', " '$V'", ' "$1"'),
        inner.word,
      )
      .map(
        ([quote, start, name, text, tail]): Part =>
          (place) =>
            `git -c alias.x=${quote(`!${start}${name} ${place.mark()}${text}`)} x ${tail(place)}`,
      ),
    fc.tuple(fc.constantFrom('git ship', 'git -C a ship', 'git SHIP', 'git up'), inner.word).map(
      ([start, tail]): Part =>
        (place) =>
          `${start} ${tail(place)}`,
    ),
  );

/** Package scripts and programs of packages. The runners are stand-ins that do what the real ones do. */
const runner = (inner: Grammar): Arb =>
  fc.oneof(
    fc
      .tuple(
        fc.constantFrom(
          'npm run build',
          'npm run --silent lint',
          'npm run all',
          'npm test',
          'npm run-script build --',
          'npm run lint --',
          'bun run build',
          'bun lint',
          'pnpm build',
          'pnpm run lint',
          'yarn lint',
          'yarn run build',
        ),
        fc.array(inner.word, { maxLength: 2 }),
      )
      .map(
        ([start, words]): Part =>
          (place) => {
            if (words.length === 0) return start;
            // Options would be the runner's own.
            const rest = words.map((part) => `z${part(place)}`).join(' ');
            return `${start}${start.startsWith('npm') && !start.endsWith('--') ? ' --' : ''} ${rest}`;
          },
      ),
    fc.tuple(fc.constantFrom('npx', 'npx --yes', 'bunx', 'npx --', 'pnpm exec', 'bun x'), inner.call).map(
      ([start, call]): Part =>
        (place) =>
          `${start} ${call(place.started())}`,
    ),
  );

const compound = (inner: Grammar): Arb =>
  fc
    .tuple(
      fc.constantFrom<(body: string, place: Place) => string>(
        (body) => `{ ${closed(body)}}`,
        (body) => `( ${body}\n)`,
        (body) => `(${closed(body)})`.replace('; )', ')'),
        (body) => `{\n${body}\n} 2>/dev/null`,
        (body) => `(\n${body}\n) >/dev/null`,
        (body) => `! {\n${body}\n}`,
        (body) => `time {\n${body}\n}`,
        (body) => `for i in one 'two 2'; do\n${body}\ndone`,
        (body) => `for V in a b\ndo ${closed(body)}done`,
        (body) => `for FOO in {1..2}; do ${closed(body)}done`,
        (body) => `for i in x; do {\n${body}\n}; done`,
      ),
      inner.list,
    )
    .map(
      ([form, body]): Part =>
        (place) => {
          const shape = form('', place);
          const isLoop = shape.startsWith('for');
          const here = isLoop ? place.with({ isLoop: true }) : place;
          return form(body(here), place);
        },
    );

/** What joins commands by their output. */
const pipeline = (inner: Grammar): Arb =>
  fc.oneof(
    fc.tuple(inner.statement, fc.constantFrom(' | ', ' | ', ' |& ', ' |\n'), inner.statement).map(
      ([left, bar, right]): Part =>
        (place) => {
          place.note.isUnordered = true;
          place.note.isDynamic = true;
          // The left side ends early when the right one does not read.
          place.note.branches = true;
          return group(left, place.subshell()) + bar + group(right, place.subshell());
        },
    ),
    fc
      .tuple(
        fc.constantFrom('echo', "printf '%s\\n'", 'echo -n', 'cat <<<'),
        fc.oneof(inner.value, fc.constantFrom("'p q'", "$'a\\nb c'", "$'it\\\\\\'s'", "''").map(fixed)),
        fc.constantFrom(
          'xargs',
          'xargs -n1',
          'xargs -n 2',
          'xargs -I{}',
          'xargs -I XX',
          'xargs -r',
          'xargs -0',
          'xargs -L1',
          "xargs -d ' '",
          'xargs -P1',
          'xargs -t',
          'xargs --max-args=1',
          'xargs -i',
        ),
        inner.call,
        fc.boolean(),
      )
      .map(
        ([start, text, middle, call, marked]): Part =>
          (place) => {
            place.note.isUnordered = true;
            // With nothing to read `-r` starts nothing.
            if (middle.endsWith('-r')) place.note.branches = true;
            const mark = !marked
              ? ''
              : middle.endsWith('{}') || middle === 'xargs -i'
                ? ' z{}'
                : middle.includes('XX')
                  ? ' XXz'
                  : '';
            return `${start} ${text(place)} | ${middle} ${call(place.started())}${mark}`;
          },
      ),
  );

/** A statement that may be several lines, as one command. */
function group(part: Part, outer: Place): string {
  const place = outer.block();
  const text = part(place) + place.separator('');
  return `{ ${text.endsWith('\n') ? text : `${text}\n`}}`;
}

/** Shells that are fed their script. */
const fed = (inner: Grammar): Arb =>
  fc.oneof(
    fc
      .tuple(
        fc.constantFrom("'E'", '"E"', '\\E', 'E'),
        fc.constantFrom(
          'bash',
          'bash -s',
          'bash -s one two',
          'cat | bash',
          'env FOO=h bash',
          'bash -',
          'sudo bash',
          'bash /dev/stdin',
          '. /dev/stdin',
          'source /dev/stdin',
        ),
        inner.script,
        fc.constantFrom('<<', '<<', '<<-'),
      )
      .map(
        ([delimiter, shell, script, operator]): Part =>
          (place) => {
            if (shell.includes('|')) place.note.isUnordered = true;
            // A program may read what the shell was to read next.
            place.note.branches = true;
            const isSame = shell.includes('/dev/stdin') && !shell.startsWith('bash');
            const body = script(isSame ? place.block() : place.process(shell.includes('-s')));
            if (/^E$/m.test(body)) return ':';
            const text = delimiter === 'E' ? body.replaceAll(/[\\$`]/g, '\\$&') : body;
            const tabs =
              operator === '<<-'
                ? text.includes("'") || text.includes('"') || text.includes('<<')
                  ? text
                  : text.replaceAll(/^/gm, '\t')
                : text;
            const [program = '', ...rest] = shell.split(' | ');
            return [program + hereDocument(place, tabs, delimiter, operator), ...rest].join(' | ');
          },
      ),
    fc.tuple(fc.constantFrom('bash', 'bash -s', 'bash -s -- one', 'source /dev/stdin'), quoting, inner.script).map(
      ([shell, quote, script]): Part =>
        (place) => {
          place.note.branches ||= shell !== 'source /dev/stdin';
          return `${shell} <<< ${quote(script(shell.startsWith('source') ? place.block() : place.process(shell.includes('-s'))))}`;
        },
    ),
    fc
      .tuple(
        fc.constantFrom('echo', "printf '%s\\n'", 'printf %s'),
        quoting,
        inner.script,
        fc.constantFrom('bash', 'bash -s', 'bash -x', 'env bash', 'tee o1 | bash'),
      )
      .map(
        ([start, quote, script, shell]): Part =>
          (place) => {
            place.note.isUnordered = true;
            place.note.branches = true;
            if (shell.includes('o1')) place.note.writes = true;
            return `${start} ${quote(script(place.process(false)))} | ${shell}`;
          },
      ),
    fc.tuple(fc.constantFrom('bash', 'source', '.'), quoting, inner.script).map(
      ([shell, quote, script]): Part =>
        (place) =>
          `${shell} <(printf '%s\\n' ${quote(script(shell === 'bash' ? place.process(true) : place.block()))})`,
    ),
    fc.tuple(fc.constantFrom('bash', 'source', '.', 'bash -e'), inner.script).map(
      ([shell, script]): Part =>
        (place) => {
          place.note.writes = true;
          const body = script(shell.startsWith('bash') ? place.process(true) : place.block());
          if (/^E$/m.test(body)) return ':';
          if (shell.endsWith('-e')) place.note.branches = true;
          return `cat > ./o1 <<'E'\n${body}\nE\n${shell} ./o1`;
        },
    ),
  );

const evaluated = (inner: Grammar): Arb =>
  fc.oneof(
    fc.tuple(quoting, inner.script).map(
      ([quote, script]): Part =>
        (place) =>
          `eval ${quote(script(place.block()))}`,
    ),
    inner.call.map(
      (call): Part =>
        (place) => {
          // What was text may be a call now, and quotes that are gone no longer hold a call together.
          place.note.isDynamic = true;
          place.note.isUnordered = true;
          place.note.branches = true;
          place.note.evaluates = true;
          return `eval ${call(place)}`;
        },
    ),
    fc.tuple(quoting, inner.script).map(
      ([quote, script]): Part =>
        (place) =>
          `eval "$(echo ${quote(script(place.block()))})"`,
    ),
    fc.tuple(quoting, inner.script).map(
      ([quote, script]): Part =>
        (place) =>
          `W=${quote(script(place.block()))}; eval "$W"`,
    ),
  );

/** What runs beside the script, or after it. */
const sideways = (inner: Grammar): Arb =>
  fc.oneof(
    inner.list.map(
      (body): Part =>
        (place) => {
          place.note.isUnordered = true;
          return `(\n${body(place.subshell())}\n) & wait`;
        },
    ),
    fc.tuple(quoting, inner.list).map(
      ([quote, body]): Part =>
        (place) => {
          place.note.isUnordered = true;
          return `( trap ${quote(body(place.subshell()))} EXIT; : )`;
        },
    ),
    inner.list.map(
      (body): Part =>
        (place) => {
          place.note.isUnordered = true;
          return `coproc {\n${body(place.subshell())}\n} </dev/null\nwait`;
        },
    ),
    inner.call.map(
      (call): Part =>
        (place) =>
          `( exec ${call(place.started())} )`,
    ),
    fc.tuple(inner.list, inner.call).map(
      ([body, call]): Part =>
        (place) => {
          place.note.isUnordered = true;
          place.note.isDynamic = true;
          // It ends early when nobody reads what it prints.
          place.note.branches = true;
          return `${call(place)} <(\n${unlessSplit(body(place.subshell()))}\n)`;
        },
    ),
    fc.tuple(inner.list, inner.call).map(
      ([body, call]): Part =>
        (place) => {
          place.note.isUnordered = true;
          place.note.isDynamic = true;
          place.note.branches = true;
          return `${call(place)} > >(\n${unlessSplit(body(place.subshell()))}\n)`;
        },
    ),
  );

const condition = (inner: Grammar, value: Arb): Arb =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .constantFrom(
          'true',
          'false',
          ':',
          '[ a = a ]',
          '[[ a == b* ]]',
          '((1))',
          '((0))',
          'test -d a',
          '! true',
          '! false',
          '[ -f zz ]',
        )
        .map(fixed),
    },
    {
      weight: 2,
      arbitrary: value.map(
        (text): Part =>
          (place) =>
            `[ -n "${'$'}{V}" ] && [[ -n ${text(place)} ]]`,
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom('yes', 'no').map(
        (answer): Part =>
          (place) =>
            `grep ${place.mark()} ${answer}`,
      ),
    },
    { weight: 2, arbitrary: inner.list },
  );

const branching = (inner: Grammar, value: Arb): Arb => {
  const test = condition(inner, value);
  const body = inner.list;
  return fc
    .oneof(
      fc.tuple(test, body, body).map(
        ([c, a, b]): Part =>
          (place) =>
            `if ${closed(c(place))}then\n${a(place)}\nelse\n${b(place)}\nfi`,
      ),
      fc.tuple(test, body).map(
        ([c, a]): Part =>
          (place) =>
            `if ${closed(c(place))}then ${closed(a(place))}fi`,
      ),
      fc.tuple(test, body, test, body).map(
        ([c, a, d, b]): Part =>
          (place) =>
            `if ${closed(c(place))}then\n${a(place)}\nelif ${closed(d(place))}then\n${b(place)}\nfi`,
      ),
      fc.tuple(value, body, body).map(
        ([w, a, b]): Part =>
          (place) =>
            `case ${w(place)} in\n  w|x*) ${a(place)}\n ;;\n (*y) ${b(place)}\n ;;\nesac`,
      ),
      fc.tuple(value, body, body).map(
        ([w, a, b]): Part =>
          (place) =>
            `case ${w(place)} in a) ${a(place)}\n;& *) ${b(place)}\nesac`,
      ),
      fc.tuple(fc.array(value, { minLength: 1, maxLength: 3 }), body).map(
        ([items, a]): Part =>
          (place) =>
            `while read -r V; do\n${a(place.with({ isLoop: true }))}\ndone <<< ${items.map((item) => item(place)).join('')}`,
      ),
      body.map(
        (a): Part =>
          (place) =>
            `n${place.note.calls}=0; while (( n${place.note.calls}++ < 2 )); do\n${a(place.with({ isLoop: true }))}\ndone`,
      ),
      body.map(
        (a): Part =>
          (place) =>
            `while true; do\n${a(place)}\nbreak\ndone`,
      ),
      body.map(
        (a): Part =>
          (place) =>
            `until true; do\n${a(place)}\ndone`,
      ),
      body.map(
        (a): Part =>
          (place) =>
            `for ((j=0;j<2;j++)); do\n${a(place.with({ isLoop: true }))}\ndone`,
      ),
      fc.tuple(fc.array(inner.word, { minLength: 1, maxLength: 3 }), body).map(
        ([items, a]): Part =>
          (place) =>
            `for V in ${items.map((item) => item(place)).join(' ')}; do\n${a(place.with({ isLoop: true }))}\ndone`,
      ),
      fc.tuple(test, inner.statement, inner.statement).map(
        ([c, a, b]): Part =>
          (place) =>
            `${group(c, place)} && ${group(a, place)} || ${group(b, place)}`,
      ),
      fc.tuple(test, fc.constantFrom('break', 'continue', 'return', 'exit')).map(
        ([c, leave]): Part =>
          (place) => {
            if ((leave === 'break' || leave === 'continue') && !place.isLoop) return ':';
            if (leave === 'return' && !place.hasArguments) return ':';
            return `if ${closed(c(place))}then ${leave}; fi`;
          },
      ),
      fc.constantFrom('break', 'exit', 'return').map(
        (leave): Part =>
          (place) =>
            leave === 'break'
              ? place.isLoop
                ? leave
                : ':'
              : leave === 'return' && !place.hasArguments
                ? ':'
                : `{ ${leave}; }`,
      ),
    )
    .map(
      (part): Part =>
        (place) => {
          place.note.branches = true;
          return part(place);
        },
    );
};

const straight = new Grammar(maxDepth, false);
const branched = new Grammar(maxDepth, true);

/** Scripts of every kind; in half of them everything that is written runs. */
export const scripts: fc.Arbitrary<Script> = fc.oneof(straight.script, branched.script).map((part) => write(part));

function write(part: Part): Script {
  const note: Note = {
    branches: false,
    isDynamic: false,
    isUnordered: false,
    evaluates: false,
    writes: false,
    calls: 0,
  };
  const text = part(new Place(note));
  return { ...note, text };
}
