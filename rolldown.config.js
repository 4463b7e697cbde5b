import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

/** Names the sources: what another build kept for the next process is not taken. */
function buildName() {
  const hash = createHash('sha256');
  for (const folder of ['src', 'templates']) {
    for (const name of readdirSync(folder, { recursive: true, withFileTypes: true }).sort(byPath)) {
      if (name.isFile()) hash.update(readFileSync(pathOf(name)));
    }
  }
  return hash.update(readFileSync('package-lock.json')).digest('hex').slice(0, 16);
}

const pathOf = ({ parentPath, name }) => `${parentPath}/${name}`;
const byPath = (one, other) => (pathOf(one) < pathOf(other) ? -1 : 1);

const guards = /\/src\/(?:guards\/.*|hook\/(?:command-before|judged|fail-open))\.ts$/;
const translations =
  /\/package-manager-detector\/|\/guards\/(?:translations|manager-commands|(?:javascript|python)-.*|(?:bun|deno|npm|pnpm|yarn)-tasks)\.ts$/;

const fileLists = /\/src\/(?:guards\/listed-files|shell\/(?:listers|text-patterns))\.ts$/;
const hosts =
  /\/guards\/(?:host-calls|api-.*|approvals|pull-requests|ref-api|jj-push|gh-options|graphql|sent-fields|remotes|push-options|file-text|commits-in-front|review-verdict|body-verdict)\.ts$/;

const blockedPatterns = /\/guards\/(?:blocked-patterns|command-line|command-spellings|script-call)\.ts$/;

const gitSteps =
  /\/guards\/(?:git-steps|clean-line|force-steps|push-steps|lost-hooks|sparse-checkout|ref-update|branch-name)\.ts$/;

const rareWrites = /\/src\/shell\/(?:rare-writes|(?:format|fetch|archive)-writes)\.ts$/;
const tasks = /\/src\/shell\/task-(?:files|runs)\.ts$/;

const programTexts = /\/src\/shell\/code-(?:texts|program|commands|changes|tokens|values)\.ts$/;

/**
 * What hooks load together comes in one chunk, for every file costs: first what every call needs, then what a call needs
 * below a config, then what reads and judges commands. The runtime of the bundle is apart from the program, which no
 * chunk needs then.
 */
const groups = [
  { name: 'runtime', test: /^\0?rolldown/ },
  { name: 'private', test: /\/src\/(?:session\/folder|io\/files)\.ts$/ },
  {
    name: 'start',
    test: /\/src\/(?:(?:main|decision|events|rules|paths|late)|agents\/(?!mcp-tools|powershell).*|hook\/(?:run|stdin|descriptor-source|stdout)|policy\/(?:find|config-error))\.ts$/,
  },
  {
    name: 'context',
    test: /\/picomatch\/|\/src\/(?:git-settings|hash|visible-text|sentence|policy\/(?:at|compile|globs|patterns|agent-names|policy)|session\/(?:state|session|kept-configs)|git\/checkout|hook\/(?:facts|keep)|stats\/(?:timings|log))\.ts$/,
  },
  {
    name: 'reading',
    test: (id) =>
      /\/unbash\/|\/src\/shell\/.*\.ts$/.test(id) &&
      [programTexts, fileLists, rareWrites, tasks].every((later) => !later.test(id)),
  },
  // The reader of programs in other languages, which only a command that holds one asks for.
  { name: 'program-texts', test: programTexts },
  // Makefiles and justfiles, which only a call of their programs asks for.
  { name: 'tasks', test: tasks },
  {
    name: 'guards',
    test: (id) =>
      guards.test(id) && [translations, fileLists, hosts, blockedPatterns, gitSteps].every((later) => !later.test(id)),
  },
  // What a command lists, which only one asks for that changes the listed files.
  { name: 'file-lists', test: fileLists },
  // What to do instead of a git command, which only one that is stopped asks for.
  { name: 'git-steps', test: gitSteps },
  // Programs and APIs of hosts, which only a call to one asks for.
  { name: 'hosts', test: hosts },
  // Spellings of commands, which only a config asks for that blocks one.
  { name: 'blocked-patterns', test: blockedPatterns },
  // Programs that write files, and that few commands hold.
  { name: 'rare-writes', test: rareWrites },
  // Commands of package managers, which are only loaded when one is to be translated.
  { name: 'translations', test: translations },
];

/** Text of one byte a character is read and compiled faster. All of it stands in strings and patterns. */
const inAscii = {
  name: 'in-ascii',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      // Behind a backslash the escape would be read as another one.
      if (/\\[\u0080-\uffff]/.test(chunk.code)) throw new Error(`${chunk.fileName} escapes a character beyond ASCII.`);
      chunk.code = chunk.code.replaceAll(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/** The ESLint worker: one file for the Node that a repo's ESLint runs in, be it as old as ESLint 9 allows. */
export const eslintWorker = defineConfig({
  input: 'src/eslint-worker/start.ts',
  platform: 'node',
  transform: { target: 'node18' },
  plugins: [inAscii],
  output: { file: 'dist/eslint-worker.cjs', format: 'cjs', minify: true, codeSplitting: false },
});

// CommonJS chunks: Node starts them faster than ES modules, and `import()` still loads each event on its own.
export default defineConfig({
  input: 'src/bin.ts',
  platform: 'node',
  // jsonc-parser's main file is UMD, whose requires a bundler can't see.
  resolve: { mainFields: ['module', 'main'] },
  transform: { define: { CAGR_BUILD: JSON.stringify(buildName()) } },
  plugins: [inAscii],
  moduleTypes: { '.sh': 'text', '.toml': 'text', '.md': 'text' },
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: 'bin.cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    minify: true,
    // A chunk that was compiled before has no loader for `import()`.
    dynamicImportInCjs: false,
    codeSplitting: { groups },
  },
});
