export type Severity = 'Important' | 'Minor';

/** One thing that a reviewer found. */
export interface ReviewFinding {
  /** Eight hexadecimal digits made of the file and the title, so the same finding keeps its id. */
  readonly id: string;
  readonly severity: Severity;
  /** Relative to the top of the repo; empty when it belongs to no file. */
  readonly file: string;
  /** From 1. */
  readonly line: number | undefined;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
}
