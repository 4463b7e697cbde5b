import { readFileSync } from 'node:fs';

export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that a file holds; `undefined` where there is no such file, or none that `parse` can read. */
export function readSettings(file: string, parse: (text: string) => unknown): Json | undefined {
  try {
    const value = parse(readFileSync(file, 'utf8'));
    return isJson(value) ? value : undefined;
  } catch {
    return;
  }
}

export const readJson = (file: string): Json | undefined => readSettings(file, JSON.parse as (text: string) => unknown);
