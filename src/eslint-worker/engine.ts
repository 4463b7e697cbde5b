import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { WorkerReport } from './protocol.ts';
import { type EslintOptions, readReportArguments } from './report-arguments.ts';
import { createStamps, type Stamps } from './stamps.ts';

/** The class `ESLint`, as far as it is used here. */
interface Eslint {
  calculateConfigForFile(file: string): Promise<unknown>;
  findConfigFile?(file: string): Promise<string | undefined>;
  lintText(text: string, options: { readonly filePath: string }): Promise<readonly LintResult[]>;
}

interface EslintClass {
  new (options: EslintOptions): Eslint;
  readonly version: string;
  getErrorResults(results: readonly LintResult[]): readonly LintResult[];
}

interface LintResult {
  readonly filePath: string;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly errorCount: number;
  readonly warningCount: number;
  readonly fatalErrorCount: number;
}

/** ESLint, loaded once, with its configs kept. */
export interface Engine {
  readonly version: string;
  readonly stamps: Stamps;
  /** What the command line would report. The current folder is the root while it works. @throws what ESLint throws. */
  report(args: readonly string[], text: string): Promise<WorkerReport>;
}

/** How many reports are kept. */
const mostKept = 60;

/** @throws where ESLint can't be loaded. */
export function loadEngine(root: string, folder: string): Engine {
  const load = createRequire(join(folder, 'package.json'));
  const { ESLint } = load(folder) as { readonly ESLint: EslintClass };
  const stamps = createStamps(folder, () => Object.keys(load.cache));
  const instances = new Map<string, Eslint>();
  const kept = new Map<string, WorkerReport>();

  async function lint(args: readonly string[], text: string): Promise<WorkerReport> {
    const asked = readReportArguments(args, root);
    if (!asked) throw new Error(`These arguments are not known: ${args.join(' ')}`);
    const file = resolve(root, asked.file);
    const key = JSON.stringify([asked.options, asked.quiet]);
    const { overrideConfigFile } = asked.options;
    stamps.watchFor(file);
    if (overrideConfigFile !== undefined) stamps.watchConfig(resolve(root, overrideConfigFile));
    const eslint = instances.get(key) ?? new ESLint(asked.options);
    const config = await eslint.findConfigFile?.(file);
    if (config !== undefined) stamps.watchConfig(config);
    // What loading the configs writes on stderr is no part of a report.
    await eslint.calculateConfigForFile(file);
    const written = listenToStderr();
    let results: readonly LintResult[];
    try {
      results = await eslint.lintText(text, { filePath: asked.file });
    } finally {
      written.stop();
    }
    // Only one that works is kept: a config that could not be loaded is loaded anew.
    instances.set(key, eslint);
    stamps.watchLoaded();
    const errors = results.reduce((sum, { errorCount }) => sum + errorCount, 0);
    const told = asked.quiet ? ESLint.getErrorResults(results) : results;
    return { exit: errors > 0 ? 1 : 0, text: JSON.stringify(told.map(reduced)), stderr: written.text() };
  }

  return {
    version: ESLint.version,
    stamps,
    async report(args, text) {
      const key = createHash('sha256').update(JSON.stringify(args)).update('\0').update(text).digest('hex');
      const known = kept.get(key);
      kept.delete(key);
      const report = known ?? (await lint(args, text));
      kept.set(key, report);
      const [oldest] = kept.keys();
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
      return report;
    },
  };
}

/** What a reader of reports looks at. */
function reduced({ filePath, messages, errorCount, warningCount, fatalErrorCount }: LintResult): LintResult {
  const places = messages.map(({ ruleId, severity, fatal, message, line, column }) => {
    return { ruleId, severity, fatal, message, line, column };
  });
  return { filePath, messages: places, errorCount, warningCount, fatalErrorCount };
}

/** Hears what is written on stderr, which is closed, so that nobody else does. */
function listenToStderr(): { text(): string; stop(): void } {
  const { stderr } = process;
  const write = stderr.write;
  let text = '';
  stderr.write = (piece: unknown, ...rest: readonly unknown[]) => {
    if (text.length < 10_000) text += String(piece);
    const done = rest.findLast((each) => typeof each === 'function');
    if (done) process.nextTick(done);
    return true;
  };
  return {
    text: () => text,
    stop: () => {
      stderr.write = write;
    },
  };
}
