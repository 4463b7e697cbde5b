import type { Call, Offered } from './acts.ts';

/** A request's JSON. */
export type Body = Readonly<Record<string, unknown>>;

interface ServerEvent {
  readonly name?: string;
  readonly data: unknown;
}

/** One protocol between a client and a model. */
interface Dialect {
  /** How the request's path ends. */
  readonly path: string;
  tools(body: Body): readonly Offered[];
  /** What the model is told. */
  conversation(body: Body): unknown;
  /** The answer as one object and as a stream; each part is a text or a tool call. */
  reply(
    parts: readonly (Call | string)[],
    body: Body,
  ): { readonly whole: unknown; readonly events: readonly ServerEvent[] };
}

let counted = 0;
const id = (kind: string): string => {
  counted += 1;
  return `${kind}_${String(counted).padStart(8, '0')}`;
};

const list = (value: unknown): readonly Body[] => (Array.isArray(value) ? (value as Body[]) : []);
const word = (value: unknown): string => (typeof value === 'string' ? value : '');
const asObject = (input: Call['input']): unknown => (typeof input === 'string' ? { input } : input);

/** Claude Code. */
const anthropic: Dialect = {
  path: '/v1/messages',
  tools: (body) => list(body.tools).map(({ name }) => ({ name: word(name), takesText: false })),
  conversation: ({ system, messages }) => [system, messages],
  reply(parts, { model }) {
    const content = parts.map((part) =>
      typeof part === 'string'
        ? { type: 'text', text: part }
        : { type: 'tool_use', id: id('toolu'), name: part.tool.name, input: asObject(part.input) },
    );
    const stop = parts.some((part) => typeof part !== 'string') ? 'tool_use' : 'end_turn';
    const usage = { input_tokens: 1, output_tokens: 1 };
    const head = { id: id('msg'), type: 'message', role: 'assistant', model, stop_sequence: null, usage };
    const blocks = content.flatMap((block, index) => {
      const isText = 'text' in block;
      const start = isText ? { ...block, text: '' } : { ...block, input: {} };
      const delta = isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
      return [
        { type: 'content_block_start', index, content_block: start },
        { type: 'content_block_delta', index, delta },
        { type: 'content_block_stop', index },
      ];
    });
    const stream: readonly { readonly type: string }[] = [
      { type: 'message_start', message: { ...head, content: [], stop_reason: null } } as { type: string },
      ...blocks,
      { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage } as { type: string },
      { type: 'message_stop' },
    ];
    return {
      whole: { ...head, content, stop_reason: stop },
      events: stream.map((data) => ({ name: data.type, data })),
    };
  },
};

/** Codex. In code mode it offers its tools inside the conversation, and some of them in groups. */
const responses: Dialect = {
  path: '/responses',
  tools(body) {
    const inside = list(body.input).filter(({ type }) => type === 'additional_tools');
    return [...list(body.tools), ...inside.flatMap(({ tools }) => list(tools))].flatMap((tool) =>
      tool.type === 'namespace'
        ? list(tool.tools).map((member) => ({ ...offeredBy(member), namespace: word(tool.name) }))
        : [offeredBy(tool)],
    );
  },
  conversation: ({ input }) => list(input).filter(({ type }) => type !== 'additional_tools'),
  reply(parts) {
    const output = parts.map((part) => {
      if (typeof part === 'string') {
        const content = [{ type: 'output_text', text: part, annotations: [] }];
        return { type: 'message', id: id('msg'), role: 'assistant', status: 'completed', content };
      }
      const { name, namespace, takesText } = part.tool;
      const call = { id: id('item'), call_id: id('call'), name, status: 'completed' };
      if (takesText) return { type: 'custom_tool_call', ...call, input: part.input };
      return { type: 'function_call', ...call, namespace, arguments: JSON.stringify(part.input) };
    });
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const whole = { id: id('resp'), object: 'response', status: 'completed', usage, output };
    const stream = [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      ...output.flatMap((item, index) => [
        { type: 'response.output_item.added', output_index: index, item },
        { type: 'response.output_item.done', output_index: index, item },
      ]),
      { type: 'response.completed', response: whole },
    ];
    return { whole, events: stream.map((data) => ({ name: data.type, data })) };
  },
};

const offeredBy = (tool: Body): Offered => ({ name: word(tool.name ?? tool.type), takesText: tool.type === 'custom' });

/** Copilot CLI with a model provider of one's own. */
const chat: Dialect = {
  path: '/chat/completions',
  tools: (body) =>
    list(body.tools).map(({ function: called }) => ({ name: word((called as Body).name), takesText: false })),
  conversation: ({ messages }) => messages,
  reply(parts, { model }) {
    const text = parts.filter((part) => typeof part === 'string').join('\n');
    const calls = parts.flatMap((part, index) =>
      typeof part === 'string'
        ? []
        : [
            {
              index,
              id: id('call'),
              type: 'function',
              function: { name: part.tool.name, arguments: JSON.stringify(asObject(part.input)) },
            },
          ],
    );
    const finish = calls.length > 0 ? 'tool_calls' : 'stop';
    const message = { role: 'assistant', content: text || null, ...(calls.length > 0 && { tool_calls: calls }) };
    const base = { id: id('chat'), created: 1, model };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const chunk = (choices: readonly unknown[], more = {}) => ({
      data: { ...base, object: 'chat.completion.chunk', choices, ...more },
    });
    return {
      whole: { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage },
      events: [
        chunk([{ index: 0, delta: message, finish_reason: null }]),
        chunk([{ index: 0, delta: {}, finish_reason: finish }]),
        chunk([], { usage }),
        { data: '[DONE]' },
      ],
    };
  },
};

export const dialects = [anthropic, responses, chat] as const satisfies readonly Dialect[];
