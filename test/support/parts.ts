// Tests ask guards and policies as every command of cagr does: with all parts of it at hand.
import '../../src/guards/blocked-patterns.ts';
import '../../src/guards/git-steps.ts';
import '../../src/guards/host-calls.ts';
import '../../src/guards/listed-files.ts';
import '../../src/guards/translations.ts';
import '../../src/policy/load.ts';
import '../../src/shell/code-texts.ts';
import '../../src/shell/rare-writes.ts';
import '../../src/shell/task-runs.ts';
