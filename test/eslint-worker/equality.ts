import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkerReport } from '../../src/eslint-worker/protocol.ts';
import { toolNamed } from '../../src/tools/index.ts';
import type { Finding } from '../../src/tools/tool.ts';

/** What the command line and the worker find in the same files of a project. */
export interface Equality {
  readonly files: number;
  readonly findings: number;
  /** The files in which they find something else. */
  readonly different: readonly string[];
}

/**
 * Lints files with ESLint's command line, all of them in one call, and with the worker, one after the other.
 *
 * @param options of the command line.
 */
export async function compareWithCommandLine(
  repo: string,
  files: readonly string[],
  options: readonly string[],
  report: (args: readonly string[], text: string) => Promise<WorkerReport | undefined>,
): Promise<Equality> {
  const call = toolNamed('eslint')?.recognise([...options, '{files}']);
  if (!call) throw new Error(`not supported: ${options.join(' ')}`);
  const expected = commandLine(repo, files, options);
  const different: string[] = [];
  let findings = 0;
  for (const file of files) {
    const answer = await report(call.args('live', file, ''), readFileSync(path.join(repo, file), 'utf8'));
    const found = answer && messagesOf(answer.text)[0];
    const wanted = expected.get(file);
    findings += wanted?.length ?? 0;
    if (JSON.stringify(found?.messages) !== JSON.stringify(wanted)) different.push(file);
  }
  return { files: files.length, findings, different };
}

type Message = Pick<Finding, 'message' | 'line' | 'column'>;

/** Everything that a report says of a message, and that a comparison looks at. */
function messagesOf(text: string): readonly { readonly file: string; readonly messages: readonly Message[] }[] {
  const results = JSON.parse(text) as { filePath: string; messages: (Message & Record<string, unknown>)[] }[];
  return results.map(({ filePath, messages }) => ({
    file: filePath,
    messages: messages.map(({ ruleId, severity, fatal, message, line, column }) => {
      return { ruleId, severity, fatal, message, line, column };
    }),
  }));
}

function commandLine(repo: string, files: readonly string[], options: readonly string[]) {
  const program = path.join(repo, 'node_modules/.bin/eslint');
  const { stdout, stderr } = spawnSync(program, [...options, '--format', 'json', ...files], {
    cwd: repo,
    encoding: 'utf8',
    maxBuffer: 512 * 1024 * 1024,
  });
  if (stdout === '') throw new Error(stderr);
  return new Map(messagesOf(stdout).map(({ file, messages }) => [path.relative(repo, file), messages]));
}
