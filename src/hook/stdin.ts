import { compileReadily } from '../jit.ts';
import { openStdin, type Source } from './descriptor-source.ts';

/** How long a payload may take to arrive, in ms. An agent writes it at once; a pipe that stays silent must not hang the call. */
const deadline = 5_000;

/** The largest payload that is read, in bytes. */
const sizeLimit = 100 * 1024 * 1024;

/** A payload above this size, in bytes, is work enough for compiled code to pay. */
const ordinarySize = 8 * 1024;

/**
 * Reads the payload: the first whole JSON object on stdin, without waiting for the end of the pipe. A byte order mark in
 * front is passed over. Throws an error with a text for people when nothing whole arrives in time or it is too large.
 */
export async function readPayload(
  stdin: Source = openStdin(),
  limits: { readonly deadline: number; readonly size: number } = { deadline, size: sizeLimit },
): Promise<Readonly<Record<string, unknown>>> {
  if (stdin.isTTY) throw new Error('The agent sent nothing: stdin is a terminal.');
  const scanner = new JsonScanner();
  const chunks: Buffer[] = [];
  let size = 0;
  const is = { late: false, whole: false };
  // Destroying the stream ends the loop below, and lets the process end while the agent still holds the pipe open.
  const timer = setTimeout(() => {
    is.late = true;
    stdin.destroy();
  }, limits.deadline);
  try {
    for await (const chunk of stdin) {
      size += chunk.length;
      if (size > limits.size) throw new Error(`The agent's payload is larger than ${megabytes(limits.size)} MB.`);
      const end = scanner.endIn(chunk);
      chunks.push(chunk.subarray(0, end));
      is.whole = end !== undefined;
      if (is.whole) break;
    }
  } catch (error) {
    if (!is.late) throw error;
  } finally {
    clearTimeout(timer);
    stdin.destroy();
  }
  if (size > ordinarySize) compileReadily();
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  if (text.trim() === '') {
    throw new Error(
      is.late ? `The agent sent nothing within ${limits.deadline / 1_000} s.` : 'The agent sent nothing on stdin.',
    );
  }
  if (is.late && !is.whole) {
    throw new Error(`The agent's payload was not complete after ${limits.deadline / 1_000} s.`);
  }
  return parsePayload(text);
}

const megabytes = (bytes: number): number => Math.floor(bytes / (1024 * 1024));

function parsePayload(text: string): Readonly<Record<string, unknown>> {
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the payload, which may hold what should not be shown.
    throw new Error("The agent's payload is no valid JSON.", { cause: error });
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw new Error("The agent's payload is no JSON object.");
  }
  return payload as Readonly<Record<string, unknown>>;
}

const quote = 0x22;
const backslash = 0x5c;
const braces = { open: 0x7b, close: 0x7d } as const;
const brackets = { open: 0x5b, close: 0x5d } as const;

/** Sees where one whole JSON object or array ends; each byte is looked at once. */
export class JsonScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;

  /**
   * Takes the next bytes. Returns how many of them belong to the value if it ends here, else `undefined`. A byte of a
   * longer UTF-8 character is never one that is looked for.
   */
  endIn(chunk: Uint8Array): number | undefined {
    for (let index = 0; index < chunk.length; index += 1) {
      if (this.#inString) {
        index = this.#stringEnd(chunk, index);
        continue;
      }
      const byte = chunk[index];
      if (byte === quote) this.#inString = true;
      else if (byte === braces.open || byte === brackets.open) this.#depth += 1;
      else if (byte === braces.close || byte === brackets.close) {
        this.#depth -= 1;
        if (this.#depth <= 0) return index + 1;
      }
    }
    return undefined;
  }

  /** Where the string that `from` lies in ends in the chunk: its closing quote, or the chunk's length. */
  #stringEnd(chunk: Uint8Array, from: number): number {
    for (let start = from; ; ) {
      const found = chunk.indexOf(quote, start);
      const end = found < 0 ? chunk.length : found;
      let slashes = 0;
      while (end - slashes > start && chunk[end - slashes - 1] === backslash) slashes += 1;
      // What the chunk before ended with counts if nothing but backslashes stands between.
      const isEscaped = (slashes + Number(this.#escaped && slashes === end - start)) % 2 === 1;
      this.#escaped = found < 0 && isEscaped;
      if (found < 0) return end;
      if (!isEscaped) {
        this.#inString = false;
        return end;
      }
      start = end + 1;
    }
  }
}
