import { it } from 'vitest';
import { type StoryTool, tellStory } from './new-findings-story.ts';

const biome: StoryTool = {
  command: 'npx biome lint {files}',
  config: [
    'biome.json',
    `{
  "linter": { "rules": {
    "recommended": false,
    "suspicious": { "noDebugger": "error", "noDoubleEquals": "error", "noVar": "warn" },
    "complexity": { "useLiteralKeys": "info" }
  } }
}`,
  ],
};

it('60 edits of a project with old findings: no old one ever blocks, every new one does', async () => {
  await tellStory(biome, 60);
});
