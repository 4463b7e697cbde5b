import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Act, type Call, callFor } from './acts.ts';
import { type Body, dialects } from './dialects.ts';

/** What the model does in one of its turns: one thing, or several tool calls at once. */
export type Turn = Act | readonly Act[];

export interface Script {
  readonly turns: readonly Turn[];
  /** The turns of a subagent: of those requests whose conversation holds the text `sees`. */
  readonly subagent?: { readonly sees: string; readonly turns: readonly Turn[] };
}

export interface Model {
  readonly url: string;
  /** What the model was sent with each request for a turn: all texts of the conversation, one below the other. */
  readonly heard: readonly string[];
  close(): void;
}

/** What the model says when its script is over. */
const lastWords = 'That is all.';

/**
 * A language model that plays a script, on a loopback port. It speaks the protocols of the clients: Anthropic Messages,
 * OpenAI Responses and OpenAI Chat Completions. A request that offers no tools (for a title, say) takes no turn.
 *
 * @param folder where the client works; relative paths of the script start there.
 */
export async function startModel(script: Script, folder: string): Promise<Model> {
  const main = [...script.turns];
  const sub = [...(script.subagent?.turns ?? [])];
  const heard: string[] = [];

  const turnFor = (conversation: string): readonly Act[] => {
    heard.push(conversation);
    const isSub = script.subagent !== undefined && conversation.includes(script.subagent.sees);
    return [(isSub ? sub : main).shift() ?? { say: lastWords }].flat();
  };

  const answer = (path: string, body: Body, response: ServerResponse): void => {
    const dialect = dialects.find((candidate) => path.endsWith(candidate.path));
    if (!dialect) {
      // A count of tokens, a list of models: nothing that a turn hangs on.
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not served here"}}');
      return;
    }
    const offered = dialect.tools(body);
    const acts = offered.length === 0 ? [{ say: 'Title' }] : turnFor(texts(dialect.conversation(body)).join('\n'));
    const calls = acts.map((act): Call | string => ('say' in act ? act.say : callFor(act, offered, folder)));
    const { whole, events } = dialect.reply(calls, body);
    if (body.stream !== true) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const { name, data } of events) {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`);
    }
    response.end();
  };

  const server = createServer((request, response) => {
    void read(request).then((body) => answer((request.url ?? '').split('?', 1)[0] ?? '', body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function read(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : (JSON.parse(text) as Body);
}

/** Every text in a JSON value, in order. */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(texts);
}
