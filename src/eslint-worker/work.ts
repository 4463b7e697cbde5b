import { chmodSync, lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join, parse } from 'node:path';
import { type Engine, loadEngine } from './engine.ts';
import { watchEnvironment } from './environment.ts';
import {
  asLine,
  LineReader,
  type ReportRequest,
  type WorkerAnswer,
  type WorkerOrder,
  type WorkerRecord,
  type WorkerRequest,
} from './protocol.ts';
import { sampleFiles } from './samples.ts';
import { startWatchdog } from './watchdog.ts';

/** How often it looks whether there is still anything to work for, in ms; at its files with every tenth look. */
const lookEvery = 1_000;
const looksAtFiles = 10;

/** How many files it tries itself on, and how long, in ms. */
const warmUpFiles = 12;
const warmUpTime = 1_500;

/** How long a farewell may take to reach those that wait, in ms. */
const farewell = 100;

interface Job {
  readonly request: ReportRequest;
  readonly socket: Socket;
}

/**
 * The ESLint worker: ESLint of one checkout, kept warm in a process of its own, which hooks ask for reports. It runs in the
 * Node that the command line would run in, and ends by itself: when nobody asks any more, when what its findings hang on
 * has changed, when its checkout or its socket is gone, when it works on one report too long.
 */
export function work(script: string, argument: string): void {
  const order = JSON.parse(argument) as WorkerOrder;
  const { root } = order;
  const isWindows = process.platform === 'win32';
  const environment = watchEnvironment();
  const busy = startWatchdog(script, { lock: order.lock, limit: order.workLimit });
  const startedAt = Date.now();
  const home = statSync(root);
  const jobs: Job[] = [];
  const sockets = new Set<Socket>();
  let engine: Engine | undefined;
  let reports = 0;
  let isWorking = false;
  let isOver = false;
  let lastAsked = performance.now();
  /** The socket as this process made it; another worker may have put its own in the place since. */
  let own: string | undefined;

  const isReachable = () => isWindows || markOf(order.socket) === own;

  const end = (why: string, isGood = true) => {
    if (isOver) return;
    isOver = true;
    // Whoever is told that this one is gone starts the next at once, so what belongs to it goes first.
    if (isGood && isReachable()) {
      for (const file of [...(isWindows ? [] : [order.socket]), order.lock]) rmSync(file, { force: true });
    }
    if (isGood && isOwnRecord()) rmSync(order.record, { force: true });
    for (const { request, socket } of jobs) socket.write(asLine({ id: request.id, is: 'gone', why }));
    for (const socket of sockets) socket.end();
    // A plugin may hold this process open with a timer of its own, or listen to gentler signals.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), sockets.size > 0 ? farewell : 0);
  };

  const isOwnRecord = () => {
    try {
      return (JSON.parse(readFileSync(order.record, 'utf8')) as WorkerRecord).pid === process.pid;
    } catch {
      // Nobody has one.
      return false;
    }
  };

  /** What makes this worker one of yesterday. */
  const outdated = (env: Readonly<Record<string, string>> | undefined): string | undefined => {
    const variable = env && environment.changed(env);
    if (variable !== undefined) return `${variable} has changed`;
    const file = engine?.stamps.changed();
    return file === undefined ? undefined : `${file} has changed`;
  };

  const isCheckoutThere = () => {
    const now = statSync(root, { throwIfNoEntry: false });
    return now?.dev === home.dev && now.ino === home.ino;
  };

  /** Works as if it had been started in the root, which is held as long as that takes and no longer. */
  const inRoot = async <Result>(action: () => Promise<Result>): Promise<Result> => {
    process.chdir(root);
    busy(true);
    try {
      return await action();
    } finally {
      busy(false);
      process.chdir(parse(root).root);
    }
  };

  const loaded = () => {
    engine ??= loadEngine(root, order.eslint);
    return engine;
  };

  const answer = async ({ request, socket }: Job): Promise<void> => {
    const { id } = request;
    const say = (message: WorkerAnswer) => {
      if (!socket.destroyed) socket.write(asLine(message));
    };
    try {
      const report = await inRoot(() => loaded().report(request.args, request.text));
      reports += 1;
      say({ id, is: 'report', report });
    } catch (error) {
      say({ id, is: 'failed', why: error instanceof Error ? error.message : String(error) });
    }
  };

  const workOff = async () => {
    if (isWorking) return;
    isWorking = true;
    for (let job = jobs[0]; job && !isOver; job = jobs[0]) {
      const why = isCheckoutThere() ? outdated(job.request.env) : 'the checkout is gone';
      if (why !== undefined) {
        end(why);
        return;
      }
      // Whoever gave up waiting needs no answer.
      if (!job.socket.destroyed) await answer(job);
      jobs.shift();
      lastAsked = performance.now();
      await pause();
    }
    isWorking = false;
  };

  const receive = (request: WorkerRequest, socket: Socket) => {
    if (request.do === 'report') {
      lastAsked = performance.now();
      jobs.push({ request, socket });
      void workOff();
    } else if (request.do === 'end') end('it was asked to end');
    else {
      const status = { pid: process.pid, version: versionOf(order.eslint), startedAt, reports };
      const memory = process.memoryUsage.rss();
      socket.write(asLine({ id: request.id, is: 'status', status: { ...status, memory } }));
    }
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    const reader = new LineReader();
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => {
      const messages = reader.read(piece);
      if (!messages) socket.destroy();
      for (const message of messages ?? []) receive(message as WorkerRequest, socket);
    });
    // Whoever asked has gone: there is nobody to tell.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });

  const warmUp = async ({ args, extensions }: NonNullable<WorkerOrder['warmUp']>) => {
    isWorking = true;
    const until = performance.now() + warmUpTime;
    for (const file of sampleFiles(root, extensions, warmUpFiles)) {
      if (isOver || jobs.length > 0 || performance.now() > until) break;
      try {
        const text = readFileSync(join(root, file), 'utf8');
        await inRoot(() => loaded().report([...args, '--stdin-filename', file], text));
      } catch {
        // A config that throws, or a file that went away: the first question gets to know.
      }
      await pause();
    }
    isWorking = false;
    void workOff();
  };

  server.on('error', () => {
    // On Windows another worker has the pipe; elsewhere the folder is gone.
    end('it can not listen', false);
  });
  const fresh = isWindows ? order.socket : `${order.socket}${process.pid.toString(36)}`;
  server.listen(fresh, () => {
    const record: WorkerRecord = {
      pid: process.pid,
      root,
      eslint: order.eslint,
      socket: order.socket,
      record: order.record,
      lock: order.lock,
      startedAt,
      failures: order.failures,
    };
    try {
      const draft = `${order.record}${process.pid.toString(36)}`;
      writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
      renameSync(draft, order.record);
      if (!isWindows) {
        chmodSync(fresh, 0o600);
        // In one step, so that there is one worker in the place at any time, and a dead one's socket is no hindrance.
        renameSync(fresh, order.socket);
        own = markOf(order.socket);
      }
    } catch {
      end('the folder for state is gone', false);
      return;
    }
    let looks = 0;
    setInterval(() => {
      looks += 1;
      if (!isReachable()) end('nobody can reach it');
      else if (!isCheckoutThere()) end('the checkout is gone');
      else if (isWorking) return;
      else if (performance.now() - lastAsked > order.idleLimit) end('nobody asks any more');
      else if (looks % looksAtFiles === 0) {
        const why = outdated(undefined);
        if (why !== undefined) end(why);
      }
    }, lookEvery);
    if (order.warmUp) void warmUp(order.warmUp);
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(`it got ${signal}`));
}

/** A turn of the event loop, so that a question that has come meanwhile is heard. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function markOf(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found ? `${found.dev} ${found.ino}` : 'none';
}

function versionOf(eslint: string): string {
  try {
    return (JSON.parse(readFileSync(join(eslint, 'package.json'), 'utf8')) as { version: string }).version;
  } catch {
    // It was taken away under the worker.
    return 'unknown';
  }
}
