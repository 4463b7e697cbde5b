/** Whether a report names the file that it was asked about: by the same relative path, or by an absolute one that ends in it. */
export function isSameFile(named: unknown, file: string): boolean {
  if (typeof named !== 'string') return false;
  const [one, other] = [plain(named), plain(file)];
  return one === other || one.endsWith(`/${other}`);
}

const plain = (path: string): string => path.replaceAll('\\', '/').replace(/^(\.\/)+/, '');

export type Fields = Readonly<Record<string, unknown>>;

export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** A line or column as tools count them: a whole number from 1. */
export function asPlace(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 ? value : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value of a JSON text; `undefined` where it is none, which no JSON text is. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A report that was cut short, or words of the tool in place of one.
    return undefined;
  }
}

/** The values, all of them or none. */
export function allOf<Value>(values: readonly (Value | undefined)[]): readonly Value[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}
