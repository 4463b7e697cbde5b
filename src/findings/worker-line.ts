import { connect, type Socket } from 'node:net';
import {
  asLine,
  LineReader,
  type WorkerAnswer,
  type WorkerReport,
  type WorkerRequest,
} from '../eslint-worker/protocol.ts';
import type { WorkerPlace } from './worker-place.ts';
import { startWorker } from './worker-start.ts';

/** How long to wait before it is tried again to reach a worker that is being started, in ms. */
const tryEvery = 20;

/** A line to the worker of a place, opened at once, and the worker started where none is there. Nothing here throws. */
export interface WorkerLine {
  readonly place: WorkerPlace;
  /**
   * Asks for a report at once, and for the same one only once. `undefined`: the worker could not make it, or is gone. It may
   * never come, so whoever waits sets the limit.
   */
  report(args: readonly string[], text: string): Promise<WorkerReport | undefined>;
  /** Makes an end of a worker that is not to be trusted. */
  end(): void;
  /** Hangs up. What was not answered is `undefined`. */
  close(): void;
}

interface Question {
  readonly request: WorkerRequest;
  readonly settle: (report: WorkerReport | undefined) => void;
}

/**
 * @param env what the configured command would see.
 * @param starts whether a worker is started where none is there.
 */
export function openWorkerLine(place: WorkerPlace, env: NodeJS.ProcessEnv, starts = true): WorkerLine {
  const asked = new Map<string, Promise<WorkerReport | undefined>>();
  const open = new Map<number, Question>();
  const seen = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  let socket: Socket | undefined;
  let isConnected = false;
  let isClosed = false;
  let isStarted = false;
  let isRestarted = false;
  let retry: NodeJS.Timeout | undefined;
  let lastId = 0;

  const hearAnswer = (answer: WorkerAnswer) => {
    const question = open.get(answer.id);
    // A worker of yesterday: the next one is asked the same.
    if (!question || answer.is === 'gone') return;
    open.delete(answer.id);
    question.settle(answer.is === 'report' ? answer.report : undefined);
  };

  const giveUp = () => {
    for (const { settle } of open.values()) settle(undefined);
    open.clear();
  };

  const dial = () => {
    if (isClosed) return;
    let isOver = false;
    const attempt = connect(place.socket);
    socket = attempt;
    const reader = new LineReader();
    const over = () => {
      if (isOver || isClosed) return;
      isOver = true;
      attempt.destroy();
      if (isConnected) {
        isConnected = false;
        // One that was killed in mid-work is not waited for twice.
        if (isRestarted) return giveUp();
        isRestarted = true;
        isStarted = false;
      }
      if (starts && !isStarted) startWorker(place, env);
      isStarted = true;
      retry = setTimeout(dial, tryEvery);
    };
    attempt.setEncoding('utf8');
    attempt.on('connect', () => {
      isConnected = true;
      for (const { request } of open.values()) attempt.write(asLine(request));
    });
    attempt.on('data', (piece: string) => {
      const messages = reader.read(piece);
      if (!messages) return over();
      for (const message of messages) hearAnswer(message as WorkerAnswer);
    });
    attempt.on('error', over);
    attempt.on('close', over);
  };

  const ask = (request: WorkerRequest): Promise<WorkerReport | undefined> =>
    new Promise((settle) => {
      if (isClosed) return settle(undefined);
      open.set(request.id, { request, settle });
      if (isConnected) socket?.write(asLine(request));
    });

  dial();
  return {
    place,
    report(args, text) {
      const key = JSON.stringify([args, text]);
      const known = asked.get(key);
      if (known) return known;
      lastId += 1;
      const report = ask({ id: lastId, do: 'report', args, text, env: seen });
      asked.set(key, report);
      return report;
    },
    end() {
      if (isConnected) socket?.write(asLine({ id: 0, do: 'end' }));
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(retry);
      // What was written last still goes out.
      if (isConnected) socket?.end();
      else socket?.destroy();
      socket?.unref();
      giveUp();
    },
  };
}
