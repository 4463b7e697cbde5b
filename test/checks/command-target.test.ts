import { expect, it } from 'vitest';
import { commandTarget } from '../../src/checks/command-target.ts';
import { fakeFacts } from '../guards/support.ts';

it.each<[string, string]>([
  ['npx biome check --write {files}', 'biome check'],
  ['biome lint --only=secret', 'biome lint'],
  ['bun run lint', 'bun run'],
  ['npm run check-types -- --token=secret', 'npm run'],
  ['npm test', 'npm test'],
  ['yarn lint secret', 'yarn'],
  ['yarn eslint secret', 'eslint'],
  ['uv run ruff check secret', 'ruff check'],
  ['./scripts/lint --token=secret', 'lint'],
  ['TOKEN=secret eslint .', 'eslint'],
  ['sh -c "ruff format secret"', 'ruff format'],
  ['cd web && tsc -p secret', 'tsc'],
  ['grep secret {files} | wc -l', 'grep'],
  ['make secret', 'make'],
  ['go vet ./secret/...', 'go vet'],
  ['git diff --check secret', 'git diff'],
  ['"$SECRET" run', 'sh'],
  ['test -z secret', 'sh'],
  ['', 'sh'],
])('%s → %s', (command, target) => {
  const facts = fakeFacts('', { scripts: { lint: 'eslint secret', 'check-types': 'tsc' } });
  expect(commandTarget(command, '/repo', facts)).toBe(target);
});
