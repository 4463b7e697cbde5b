import { hasOption, type OptionGrammar, optionValue, scanOptions } from './options.ts';
import { program, type Runner } from './runner.ts';

const uvValues: OptionGrammar = {
  short: 'pciPCfo',
  long: [
    'directory',
    'project',
    'config-file',
    'cache-dir',
    'color',
    'python',
    'with',
    'with-editable',
    'with-requirements',
    'extra',
    'no-extra',
    'group',
    'no-group',
    'only-group',
    'package',
    'env-file',
    'index',
    'default-index',
    'index-url',
    'extra-index-url',
    'find-links',
    'from',
    'python-preference',
    'allow-insecure-host',
    'refresh-package',
    'upgrade-package',
    'reinstall-package',
    'config-setting',
    'exclude-newer',
    'link-mode',
    'resolution',
    'prerelease',
    'index-strategy',
    'keyring-provider',
    'python-platform',
    'constraints',
    'overrides',
  ],
};

const uv: Runner = (words) => {
  const before = scanOptions(words, 1, uvValues);
  const name = words[before.at];
  const isTool = name === 'tool' && (words[before.at + 1] === 'run' || words[before.at + 1] === 'x');
  if (isTool) return program(words, scanOptions(words, before.at + 2, { ...uvValues, short: 'pcfwi' }).at);
  if (name !== 'run') return [];
  const after = scanOptions(words, before.at + 1, { ...uvValues, short: 'pciPCfow' });
  const folder = optionValue(after, 'directory', 'project') ?? optionValue(before, 'directory', 'project');
  if (hasOption(after, 's', 'script', 'gui-script')) return [];
  if (hasOption(after, 'm', 'module')) {
    return [{ kind: 'program', words: ['python', '-m', ...words.slice(after.at)], at: after.at, folder }];
  }
  const words2 = words.slice(after.at);
  return words2.length === 0 ? [] : [{ kind: 'program', words: words2, at: after.at, folder }];
};

const uvx: Runner = (words) => program(words, scanOptions(words, 1, { ...uvValues, short: 'pcfwi' }).at);

/** `poetry run program …` and its like. */
const runs =
  (names: readonly string[], grammar: OptionGrammar, folders: readonly string[] = []): Runner =>
  (words) => {
    const before = scanOptions(words, 1, grammar);
    if (!names.includes(words[before.at] ?? '')) return [];
    const after = scanOptions(words, before.at + 1, grammar);
    const folder = optionValue(after, ...folders) ?? optionValue(before, ...folders);
    const rest = words.slice(after.at);
    return rest.length === 0 ? [] : [{ kind: 'program', words: rest, at: after.at, folder }];
  };

/** `python -m module …`: the module's name stands for the program (`python -m pip install x` → `pip install x`). */
export const python: Runner = (words) => {
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!/^-[A-Za-z]/.test(word)) return [];
    for (let index = 1; index < word.length; index += 1) {
      const letter = word[index] ?? '';
      const rest = word.slice(index + 1);
      if (letter === 'm') {
        const name = rest === '' ? words[at + 1] : rest;
        const first = rest === '' ? at + 2 : at + 1;
        return name === undefined
          ? []
          : [{ kind: 'program', words: [name, ...words.slice(first)], at: rest === '' ? at + 1 : at }];
      }
      if (letter === 'c') return [];
      if (letter === 'X' || letter === 'W' || letter === 'Q') {
        if (rest === '') at += 1;
        break;
      }
    }
  }
  return [];
};

const pixiValues: OptionGrammar = { short: 'ep', long: ['environment', 'manifest-path'] };
const condaValues: OptionGrammar = { short: 'np', long: ['name', 'prefix', 'cwd'] };

/** Programs that run another in a Python environment. Sources: each tool's own help. */
export const pythonRunners = {
  uv,
  uvx,
  pipx: (words) =>
    words[1] === 'run'
      ? program(words, scanOptions(words, 2, { long: ['spec', 'python', 'pip-args', 'index-url'] }).at)
      : [],
  poetry: runs(['run'], { short: 'CP', long: ['directory', 'project'] }, ['C', 'directory', 'P', 'project']),
  pdm: runs(['run'], { short: 'pc', long: ['project', 'config'] }, ['p', 'project']),
  pipenv: runs(['run'], {}),
  rye: runs(['run'], {}),
  hatch: runs(['run'], { short: 'ep', long: ['env', 'project'] }),
  pixi: runs(['run'], pixiValues),
  conda: runs(['run'], condaValues, ['cwd']),
  mamba: runs(['run'], condaValues, ['cwd']),
  micromamba: runs(['run'], condaValues, ['cwd']),
} as const satisfies Readonly<Record<string, Runner>>;
