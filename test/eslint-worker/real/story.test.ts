import { it } from 'vitest';
import { asBuiltProgram } from '../../findings/worker-ground.ts';
import { tellStory } from '../../hook/new-findings-story.ts';

asBuiltProgram();

const config = `import tseslint from 'typescript-eslint';
export default [{
  files: ['**/*.ts'],
  languageOptions: { parser: tseslint.parser },
  rules: { 'no-debugger': 'error', eqeqeq: 'error', 'no-var': 'warn', 'dot-notation': 'warn' },
}];
`;

it('60 edits of a project with old findings: ESLint never blocks for an old one, and for every new one', async () => {
  await tellStory({ command: 'npx eslint {files}', config: ['eslint.config.js', config] }, 60);
});
