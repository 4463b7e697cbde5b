import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const top = path.resolve(import.meta.dirname, '..');
const files = readdirSync(path.join(top, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file}`)
  .filter((file) => file.endsWith('.ts'));
const matches = (file: string, globs: readonly string[]) => picomatch.isMatch(file, [...globs]);

interface Import {
  readonly from: string;
  /** A path below `src/` or `templates/`, or the name of a package. */
  readonly to: string;
  readonly isLazy: boolean;
  readonly isType: boolean;
}

/** Every import of every source file, read from the syntax tree. */
function readImports(): Import[] {
  return files
    .filter((file) => !file.endsWith('.d.ts'))
    .flatMap((file) => {
      const source = ts.createSourceFile(
        file,
        readFileSync(path.join(top, file), 'utf8'),
        ts.ScriptTarget.Latest,
        true,
      );
      const found: Import[] = [];
      const add = (specifier: ts.Expression, isLazy: boolean, isType: boolean) => {
        if (!ts.isStringLiteral(specifier)) return;
        const to = specifier.text.startsWith('.')
          ? path.posix.join(path.posix.dirname(file), specifier.text)
          : specifier.text;
        found.push({ from: file, to, isLazy, isType });
      };
      const visit = (node: ts.Node): void => {
        if (ts.isImportDeclaration(node)) {
          const clause = node.importClause;
          add(node.moduleSpecifier, false, clause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
        } else if (ts.isExportDeclaration(node) && node.moduleSpecifier)
          add(node.moduleSpecifier, false, node.isTypeOnly);
        else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
          const [specifier] = node.arguments;
          if (specifier) add(specifier, true, false);
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
      return found;
    });
}

const imports = readImports();
const show = (entry: Import) => `${entry.from} imports ${entry.to}`;

describe('the shape of src/', () => {
  const pure = [
    'src/{shell,guards,agents,tools}/**',
    'src/{events,rules,decision,paths}.ts',
    'src/policy/{schema,compile,globs}.ts',
    'src/checks/{plan,focus}.ts',
    'src/findings/match.ts',
    'src/sync/{render,merge}.ts',
    'src/hook/brief.ts',
    'src/eslint-worker/{protocol,report-arguments}.ts',
  ];

  it('keeps the core pure: no Node module, and nothing with effects', () => {
    const effects = [
      'node:*',
      'src/{io,session,stats,git,cli,hook,git-hook}/**',
      'src/policy/{load,mistakes}.ts',
      'execa',
      'simple-git',
    ];
    const broken = imports.filter(
      ({ from, to, isType }) =>
        matches(from, pure) &&
        !isType &&
        to !== 'src/hook/brief.ts' &&
        (to.startsWith('node:') || matches(to, effects)),
    );
    expect(broken.map(show)).toEqual([]);
  });

  it('keeps the core free of globals that read the world', () => {
    const broken = files
      .filter((file) => matches(file, pure))
      .filter((file) =>
        /\b(process\.|Date\.now|new Date|Math\.random|performance\.)/.test(readFileSync(path.join(top, file), 'utf8')),
      );
    expect(broken).toEqual([]);
  });

  it('lets dependencies point one way', () => {
    const layers = [
      ['src/{decision,events,rules,paths,facts,jit,late,git-settings,hash,templates.d}.ts'],
      ['src/{shell,policy}/**', 'src/findings/match.ts'],
      [
        'src/{agents,guards,checks,tools,sync,git,io,session,stats,review,findings,eslint-worker}/**',
        'src/hook/brief.ts',
      ],
      ['src/{hook,git-hook,cli}/**'],
      ['src/main.ts'],
      ['src/bin.ts'],
    ];
    const rank = (file: string) => layers.findIndex((globs) => matches(file, globs));
    const broken = imports.filter(({ from, to, isType }) => to.startsWith('src/') && !isType && rank(to) > rank(from));
    expect(broken.map(show)).toEqual([]);
  });

  it.each([
    ['unbash', 'src/shell/parse.ts'],
    ['toml-eslint-parser', 'src/policy/mistakes.ts'],
    ['commander', 'src/cli/**'],
    ['execa', 'src/{cli,review,sync}/**'],
    ['simple-git', 'src/{cli,review,sync,git}/**'],
    ['smol-toml', 'src/{policy/load,cli/init,cli/uninstall,cli/doctor/*}.ts'],
  ])('imports %s in %s alone', (name, allowed) => {
    const broken = imports.filter(({ from, to, isType }) => to === name && !isType && !matches(from, [allowed]));
    expect(broken.map(show)).toEqual([]);
  });

  it('loads what an event does not need only when it is needed', () => {
    const hot = ['src/{bin,main}.ts', 'src/hook/{run,stdin}.ts'];
    const heavy = [
      'src/{cli,git-hook,tools,review,sync}/**',
      'src/hook/{session-start,command-before,file-*,turn-end}.ts',
      'execa',
      'simple-git',
      'diff',
    ];
    const broken = imports.filter(
      ({ from, to, isLazy, isType }) => matches(from, hot) && !isLazy && !isType && matches(to, heavy),
    );
    expect(broken.map(show)).toEqual([]);
  });

  it('names modules for what they hold', () => {
    const vague = files.filter((file) => /\/(utils?|helpers?|manager|service|common|misc)[/.]/.test(file));
    expect(vague).toEqual([]);
    const notKebab = files.filter((file) => !/^[a-z0-9/-]+(\.d)?\.ts$/.test(file));
    expect(notKebab).toEqual([]);
  });
});
