import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ComparableCommand, comparableCommand } from '../checks/comparable.ts';
import { hashName } from '../hash.ts';
import { asArgument } from '../io/command-line.ts';
import { runReport } from '../io/run.ts';
import type { Finding, Source } from '../tools/tool.ts';
import type { Baselines } from './baseline.ts';
import { type Matched, matchFindings } from './match.ts';
import type { WorkerLine } from './worker-line.ts';
import { fillWorkspace, hasNestedBiomeConfig, portableBiomeConfig } from './workspace.ts';

/** A configured command that failed on files. */
export interface FailedCommand {
  /** As configured. */
  readonly command: string;
  /** Relative to `root`. */
  readonly files: readonly string[];
  /** The absolute folder that it ran in. */
  readonly root: string;
  /** All that it printed; `undefined` where something was left out. */
  readonly output: string | undefined;
  /** What makes the reports in the place of its command line; such reports must agree with what the command printed. */
  readonly worker: WorkerLine | undefined;
  /** A file as its baselines know it: an absolute path. */
  known(file: string): { readonly baselines: Baselines; readonly path: string; source(): Buffer | undefined };
}

export interface ComparisonLimits {
  /** What one process may take, in ms. */
  readonly each: number;
  /** What all of them may still take, in ms; asked again and again. */
  left(): number;
}

/** The findings of one file, parted. */
export interface FileComparison extends Matched {
  /** Relative to the root. */
  readonly file: string;
}

/**
 * Compares what a failed command finds in its files with what it finds in the sources that they had before the session
 * touched them. It reads, and writes nothing in the repo.
 *
 * @returns `undefined` where that is not certain in every part: the failing result then stands as it is.
 */
export async function compareFindings(
  failed: FailedCommand,
  limits: ComparisonLimits,
): Promise<readonly FileComparison[] | undefined> {
  const command = comparableCommand(failed.command, failed.root);
  if (!command) return undefined;
  const targets: Target[] = [];
  for (const file of failed.files) {
    const { baselines, path, source } = failed.known(file);
    const saved = source();
    if (saved === undefined) return undefined;
    const { root, worker } = failed;
    targets.push({ command, root, file, path, saved, baselines, worker, limits, other: new AbortController() });
  }
  // In new files everything is new.
  if (targets.every(({ saved }) => saved.length === 0)) return undefined;
  const files: FileComparison[] = [];
  for (const target of targets) {
    const compared = await compareFile(target);
    if (!compared) return undefined;
    files.push({ file: target.file, ...compared });
  }
  const { fails, confirms } = command.call;
  if (failed.worker) {
    const live = files.flatMap(({ fresh, inherited }) => [...fresh, ...inherited]);
    if (failed.output === undefined || !confirms?.(failed.output, live)) {
      // It knows the world as it was before: a plugin may keep what it has read of other files.
      failed.worker.end();
      return undefined;
    }
  }
  // A report that does not show why the command failed has missed something.
  if (!files.some(({ fresh, inherited }) => [...fresh, ...inherited].some(fails))) return undefined;
  return files;
}

/** One file, and what a report on it needs. */
interface Target {
  readonly command: ComparableCommand;
  readonly root: string;
  /** Relative to the root. */
  readonly file: string;
  /** As the baselines know it. */
  readonly path: string;
  readonly saved: Buffer;
  readonly baselines: Baselines;
  readonly worker: WorkerLine | undefined;
  readonly limits: ComparisonLimits;
  /** Ends one report when the other one has failed. */
  readonly other: AbortController;
}

type Findings = readonly Finding[] | undefined;

async function compareFile(target: Target): Promise<Matched | undefined> {
  const { command, root, saved, other } = target;
  const file = join(root, target.file);
  const live = readBytes(file);
  const liveText = live && readText(live);
  const savedText = readText(saved);
  if (!live || liveText === undefined || savedText === undefined) return undefined;
  const [ofLive, ofSaved] = target.worker
    ? await workerReports(target, target.worker, liveText, savedText)
    : await Promise.all(
        (command.tool.reads === 'stdin' ? stdinReports(target, live) : fileReports(target)).map(async (report) => {
          const findings = await report;
          if (!findings) other.abort();
          return findings;
        }),
      );
  // If somebody wrote the file meanwhile, the reports are about another source.
  if (!ofLive || !ofSaved || !readBytes(file)?.equals(live)) return undefined;
  const comparable = ofSaved.filter((finding) => command.tool.isComparable(finding));
  return matchFindings({ text: savedText, findings: comparable }, { text: liveText, findings: ofLive });
}

/** Both are asked for at once and come one after the other, for a worker does one thing at a time; the saved one is often known. */
async function workerReports(
  { command, file, limits }: Target,
  worker: WorkerLine,
  live: string,
  saved: string,
): Promise<readonly [Findings, Findings]> {
  const ask = (of: Source, text: string) => worker.report(command.call.args(of, asArgument(file), ''), text);
  const asked = { saved: saved === '' ? undefined : ask('saved', saved), live: ask('live', live) };
  const read = async (report: ReturnType<typeof ask>): Promise<Findings> => {
    const found = await within(report, Math.min(limits.each, limits.left()));
    return found && command.tool.parse(found, file);
  };
  const ofSaved = asked.saved === undefined ? [] : await read(asked.saved);
  return [ofSaved && (await read(asked.live)), ofSaved];
}

/** What comes of a promise within so many ms; nothing where no time is left, though it may be there already. */
async function within<Value>(promise: Promise<Value>, limit: number): Promise<Value | undefined> {
  if (limit <= 0) return undefined;
  return await new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), limit);
    void promise.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}

function stdinReports(target: Target, live: Buffer): readonly Promise<Findings>[] {
  return [stdinReport(target, 'live', live), savedStdinReport(target)];
}

async function savedStdinReport(target: Target): Promise<Findings> {
  const { saved, baselines } = target;
  if (saved.length === 0) return [];
  const key = cacheKey(target);
  const cached = baselines.recall(key);
  if (cached !== undefined) return JSON.parse(cached) as readonly Finding[];
  const findings = await stdinReport(target, 'saved', saved);
  if (findings) baselines.keep(key, JSON.stringify(findings));
  return findings;
}

/** What the findings of the saved source hang on, as far as that is cheap to see. */
function cacheKey({ command, root, file, path, saved }: Target): string {
  const configs = command.tool.configFiles.map((name) => {
    const found = statSync(join(root, name), { throwIfNoEntry: false });
    return found ? [name, found.size, found.mtimeMs] : [name];
  });
  const args = command.call.args('saved', asArgument(file), '');
  return JSON.stringify([path, root, command.launch, args, configs, hashName(saved.toString('latin1'))]);
}

async function stdinReport(target: Target, of: Source, input: Buffer): Promise<Findings> {
  const { command, root, file } = target;
  const run = await runTool(target, command.call.args(of, asArgument(file), ''), root, input);
  return run && command.tool.parse({ exit: run.exit, text: run.stdout, stderr: run.stderr }, file);
}

function fileReports(target: Target): readonly Promise<Findings>[] {
  const { root, file, saved, baselines } = target;
  const config = hasNestedBiomeConfig(root, file) ? undefined : portableBiomeConfig(root);
  const folder = config === undefined ? undefined : baselines.makeFolder();
  if (config === undefined || folder === undefined) return [Promise.resolve(undefined)];
  const workspace = join(folder, 'workspace');
  const savedReport = async () => {
    if (saved.length === 0) return [];
    fillWorkspace(workspace, root, config, file, saved);
    return fileReport(target, 'saved', workspace, join(folder, 'saved.json'));
  };
  const reports = [fileReport(target, 'live', root, join(folder, 'live.json')), savedReport()];
  const removed = Promise.allSettled(reports).then(() => rmSync(folder, { recursive: true, force: true }));
  return reports.map((report) => report.finally(() => removed));
}

async function fileReport(target: Target, of: Source, cwd: string, report: string): Promise<Findings> {
  const { command, file } = target;
  const run = await runTool(target, command.call.args(of, asArgument(file), report), cwd);
  const text = run && readBytes(report)?.toString('utf8');
  if (!run || text === undefined || run.stdout !== '') return undefined;
  return command.tool.parse({ exit: run.exit, text, stderr: run.stderr }, file);
}

async function runTool(
  { command, limits, other }: Target,
  args: readonly string[],
  cwd: string,
  input?: Buffer,
): Promise<{ exit: number; stdout: string; stderr: string } | undefined> {
  const { exit, stdout, stderr, complete } = await runReport({
    argv: [...command.launch, ...args],
    cwd,
    input,
    limit: Math.min(limits.each, limits.left()),
    signal: other.signal,
    env: Object.fromEntries(command.tool.unset.map((name) => [name, undefined])),
  });
  return complete && exit !== null ? { exit, stdout, stderr } : undefined;
}

function readBytes(file: string): Buffer | undefined {
  try {
    return statSync(file).isFile() ? readFileSync(file) : undefined;
  } catch {
    // It went away, or may not be read.
    return undefined;
  }
}

/** The text of a source; `undefined` where it is no UTF-8, for then a tool's columns are not to be trusted. */
function readText(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : undefined;
}
