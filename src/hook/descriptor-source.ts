import { constants, fstatSync, openSync, read, readSync } from 'node:fs';

/** What a payload is read from: stdin as a stream, or {@link DescriptorSource}. */
export interface Source extends AsyncIterable<Buffer> {
  readonly isTTY?: boolean;
  destroy(): unknown;
}

/**
 * Stdin. A stream around it costs 3 ms, so a pipe is opened once more where that gives one that does not block, and in
 * the native executable the descriptor is read as it is. Node would not end while such a read waits.
 */
export function openStdin(): Source {
  const kind = kindOf(0);
  const pipe = kind === 'pipe' && process.platform === 'linux' ? openAgain('/proc/self/fd/0') : undefined;
  if (pipe !== undefined || kind === 'file') return new DescriptorSource(pipe ?? 0, readNow);
  // A terminal is a device, among others; the stream knows how to tell it from `/dev/null`.
  return process.versions.bun === undefined || kind === 'device' ? process.stdin : new DescriptorSource(0, read);
}

function kindOf(descriptor: number): 'pipe' | 'file' | 'device' | 'other' {
  try {
    const found = fstatSync(descriptor);
    if (found.isFIFO()) return 'pipe';
    if (found.isFile()) return 'file';
    return found.isCharacterDevice() ? 'device' : 'other';
  } catch {
    // EBADF: it is closed, which the stream reads as empty.
    return 'device';
  }
}

function openAgain(pipe: string): number | undefined {
  try {
    return openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // No /proc, or no right to open what somebody else made.
    return undefined;
  }
}

type Take = (error: NodeJS.ErrnoException | null, length: number) => void;
type Read = (descriptor: number, buffer: Buffer, offset: number, length: number, position: null, take: Take) => void;

/** Like `fs.read`, for a descriptor that does not block. */
const readNow: Read = (descriptor, buffer, offset, length, position, take) => {
  let taken: number;
  try {
    taken = readSync(descriptor, buffer, offset, length, position);
  } catch (error) {
    take(error as NodeJS.ErrnoException, 0);
    return;
  }
  take(null, taken);
};

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
  readonly #read: Read;
  #isWaiting = false;
  #later: NodeJS.Timeout | undefined;
  #end: () => void = () => {};
  readonly #ended = new Promise<undefined>((resolve) => {
    this.#end = () => resolve(undefined);
  });

  constructor(descriptor: number, read: Read) {
    this.#descriptor = descriptor;
    this.#read = read;
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
    clearTimeout(this.#later);
    this.#end();
  }

  #next(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const buffer = Buffer.allocUnsafe(64 * 1024);
      const start = (): void => {
        this.#isWaiting = true;
        this.#read(this.#descriptor, buffer, 0, buffer.length, null, take);
      };
      const take = (error: NodeJS.ErrnoException | null, length: number): void => {
        this.#isWaiting = false;
        if (error?.code === 'EAGAIN') this.#later = setTimeout(start, pause);
        // Windows calls the end of a pipe an error.
        else if (error && error.code !== 'EOF' && error.code !== 'EPIPE') reject(error);
        else resolve(buffer.subarray(0, error ? 0 : length));
      };
      start();
    });
  }
}
