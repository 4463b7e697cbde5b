import { fstatSync, read } from 'node:fs';

/** What a payload is read from: stdin as a stream, or {@link DescriptorSource}. */
export interface Source extends AsyncIterable<Buffer> {
  readonly isTTY?: boolean;
  destroy(): unknown;
}

/**
 * Stdin. In the native executable a stream around it costs 3 ms, so its descriptor is read as it is. Node would not end
 * while such a read waits.
 */
export const openStdin = (): Source =>
  process.versions.bun === undefined || isDevice(0) ? process.stdin : new DescriptorSource(0);

/** A terminal, among others, which the stream knows how to tell from `/dev/null`. */
function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    // EBADF: it is closed, which the stream reads as empty.
    return true;
  }
}

/** How long is waited for a descriptor that does not block and holds nothing yet, in ms. */
const pause = 2;

let isLeft = false;

/** Ends the process if a read of stdin still waits: no caller may be kept until a pipe that stays silent is closed. */
export function leaveStdin(): void {
  // eslint-disable-next-line no-restricted-properties -- a waiting read can't be called off
  if (isLeft) process.exit();
}

/** The bytes of a descriptor as they come. */
class DescriptorSource implements Source {
  readonly #descriptor: number;
  #isWaiting = false;
  #end: () => void = () => {};
  readonly #ended = new Promise<undefined>((resolve) => {
    this.#end = () => resolve(undefined);
  });

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = await Promise.race([this.#next(), this.#ended]);
      if (chunk === undefined || chunk.length === 0) return;
      yield chunk;
    }
  }

  /** Ends the loop over it, also while it waits for bytes. */
  destroy(): void {
    isLeft ||= this.#isWaiting;
    this.#end();
  }

  #next(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const buffer = Buffer.allocUnsafe(64 * 1024);
      const start = (): void => {
        this.#isWaiting = true;
        read(this.#descriptor, buffer, 0, buffer.length, null, take);
      };
      const take = (error: NodeJS.ErrnoException | null, length: number): void => {
        this.#isWaiting = false;
        if (error?.code === 'EAGAIN') setTimeout(start, pause);
        // Windows calls the end of a pipe an error.
        else if (error && error.code !== 'EOF' && error.code !== 'EPIPE') reject(error);
        else resolve(buffer.subarray(0, error ? 0 : length));
      };
      start();
    });
  }
}
