/** One problem that a check tool reports in one file. */
export interface Finding {
  readonly rule: string;
  readonly message: string;
  readonly severity: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** Which of the two sources of a file is looked at: the one on disk, or the one from before the session touched it. */
export type Source = 'live' | 'saved';

/** How a configured command of a tool is turned into read-only reports on one file. */
export interface ReportCall {
  /**
   * The arguments of a report, behind the program. `file` is the file as the command gets it, relative to the folder that
   * it runs in; `report` is where a tool that writes its report into a file shall put it.
   */
  args(of: Source, file: string, report: string): readonly string[];
  /** Whether the configured command fails because of such a finding alone. */
  fails(finding: Finding): boolean;
  /** Whether the configured command mends files: what they hold at last is known when it has ended. */
  readonly fixes: boolean;
  /**
   * Whether what the configured command printed tells of these findings, and of no others. It holds reports to be true that
   * come from elsewhere than the tool's command line; left out where the output says too little.
   */
  readonly confirms?: ((output: string, findings: readonly Finding[]) => boolean) | undefined;
}

/** How the process of a report ended, and what it wrote. */
interface Report {
  readonly exit: number;
  readonly text: string;
  readonly stderr: string;
}

/**
 * A tool whose findings can be compared with those of an earlier source. It is pure: it words the arguments of a report
 * and reads the report, and knows nothing of processes and files. `undefined` anywhere means that the comparison could
 * not be trusted, so the failing result of the configured command stands: a flag that is not listed, a report that is cut
 * short, of another shape or about another file, a word on stderr.
 *
 * To add a tool: one file with such an object, and a row in `index.ts`.
 */
export interface CheckTool {
  /** The program's name, as it stands in commands. */
  readonly name: string;
  /**
   * How a report is had. `stdin`: the source on stdin under the file's own name, the report on stdout. `file`: the tool
   * reads the file itself, the saved source in a temporary workspace of the same shape, and writes the report to a file.
   */
  readonly reads: 'stdin' | 'file';
  /** What the tool's results hang on in the folder it runs in, as far as that is cheap to see. */
  readonly configFiles: readonly string[];
  /** Variables that would lead a report elsewhere. */
  readonly unset: readonly string[];
  /**
   * Reads the arguments of a configured command, `{files}` in them. `undefined`: not a call of the tool that is
   * supported.
   */
  recognise(args: readonly string[]): ReportCall | undefined;
  /** All findings of a report, in its order. `undefined`: the report is malformed, incomplete or doubtful. */
  parse(report: Report, file: string): readonly Finding[] | undefined;
  /** Whether a finding hangs on nothing that a report on the saved source would not see too; if not, it is never an old one. */
  isComparable(finding: Finding): boolean;
}
