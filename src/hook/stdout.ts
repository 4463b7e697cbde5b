import { writeSync } from 'node:fs';

/** How long a full pipe may stay full, in ms. */
const patience = 5_000;

/** Writes an answer whole before it returns. A reader that has gone away is no error: nobody is left to be told. */
export function writeAnswer(text: string): void {
  const bytes = Buffer.from(text);
  const end = Date.now() + patience;
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      // EAGAIN: the pipe is full and does not block. Anything else (EPIPE) means that the reader is gone.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || Date.now() > end) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
