import { changesIn } from './code-changes.ts';
import { commandsIn } from './code-commands.ts';
import { Program } from './code-program.ts';
import { codeReader } from './code-reader.ts';

codeReader.bring({
  commands: (text, language, started) => commandsIn(new Program(text, language, started)),
  changes: (text, language, started) => changesIn(new Program(text, language, started)),
});
