import { describe } from 'vitest';
import { commonScenarios } from './scenarios.ts';

// Copilot CLI runs the hooks of `.claude/settings.json`. A hook that fails there denies the call.
describe('Copilot CLI', () => {
  const edit = (file: string, old: string, text: string) => [{ read: file }, { edit: file, old, text }];
  commonScenarios({ client: 'copilot', edit, readsPlainText: false });
});
