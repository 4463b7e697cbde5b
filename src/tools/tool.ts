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
