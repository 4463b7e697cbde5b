import { type ChildProcess, spawn } from 'node:child_process';
import { binOf } from './clients.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

interface ListedHook {
  readonly key: string;
  readonly currentHash: string;
  readonly trustStatus: string;
}

/** `codex app-server`: what Codex's own screens talk to. It tells what each hook said, which `codex exec` does not. */
export class CodexServer {
  readonly messages: Message[] = [];
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number | string, (message: Message) => void>();
  #asked = 0;

  private constructor(child: ChildProcess) {
    this.#process = child;
    let rest = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(line) as Message);
    });
  }

  static async start({ folder, env }: { folder: string; env: Readonly<Record<string, string>> }): Promise<CodexServer> {
    const child = spawn(binOf('codex'), ['app-server'], {
      cwd: folder,
      env: { ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const server = new CodexServer(child);
    const clientInfo = { name: 'cagr-test', title: null, version: '0' };
    await server.ask('initialize', { clientInfo, capabilities: { experimentalApi: true } });
    server.#send({ method: 'initialized' });
    return server;
  }

  #take(message: Message): void {
    this.messages.push(message);
    const name = message.id ?? message.method;
    if (name === undefined) return;
    const resolve = this.#waiting.get(name);
    this.#waiting.delete(name);
    resolve?.(message);
  }

  #send(message: object): void {
    this.#process.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #answer(name: number | string): Promise<Message> {
    return new Promise((resolve) => this.#waiting.set(name, resolve));
  }

  async ask(method: string, params: object): Promise<Readonly<Record<string, unknown>>> {
    this.#asked += 1;
    const answer = this.#answer(this.#asked);
    this.#send({ id: this.#asked, method, params });
    const { result, error } = await answer;
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  /** Resolves with the next notification of this name. */
  next(method: string): Promise<Message> {
    return this.#answer(method);
  }

  /** As Codex does it when a person trusts the folder. */
  async trustFolder(folder: string): Promise<void> {
    await this.#write('projects', { [folder]: { trust_level: 'trusted' } });
  }

  /** As the `/hooks` screen does it: a record with each hook's hash goes to the person's settings. */
  async approveHooks(folder: string): Promise<void> {
    const hooks = await this.hooks(folder);
    await this.#write(
      'hooks.state',
      Object.fromEntries(hooks.map((hook) => [hook.key, { trusted_hash: hook.currentHash }])),
    );
  }

  async hooks(folder: string): Promise<readonly ListedHook[]> {
    const { data } = (await this.ask('hooks/list', { cwds: [folder] })) as { data: { hooks: ListedHook[] }[] };
    return data.flatMap(({ hooks }) => hooks);
  }

  async #write(keyPath: string, value: object): Promise<void> {
    const edits = [{ keyPath, value, mergeStrategy: 'upsert' }];
    await this.ask('config/batchWrite', { edits, reloadUserConfig: true });
  }

  /** One turn of a new thread in the folder; resolves when it is over. */
  async turn(folder: string, text: string): Promise<void> {
    const { thread } = (await this.ask('thread/start', { cwd: folder })) as { thread: { id: string } };
    const over = this.next('turn/completed');
    await this.ask('turn/start', { threadId: thread.id, input: [{ type: 'text', text, text_elements: [] }] });
    await over;
  }

  /** Resolves when it is gone. */
  async end(): Promise<void> {
    const gone = new Promise((resolve) => this.#process.once('close', resolve));
    this.#process.stdin?.end();
    this.#process.kill();
    await gone;
  }
}
