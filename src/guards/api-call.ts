import type { ArgWord } from '../shell/invocation.ts';
import { fileText } from './file-text.ts';
import { type GhCall, type OptionGrammar, readOptions } from './gh-options.ts';
import type { CommandCall } from './guard.ts';

/** A call of a host's API, whatever program makes it. */
export interface ApiCall {
  /** For the counts: `gh api`, `curl`. */
  readonly target: string;
  /** In capitals. */
  readonly method: string;
  /** Without host, version and query: `repos/acme/app/pulls`, `graphql`. */
  readonly path: string;
  /** Everything that goes with it: the values of fields, whole texts. */
  readonly sent: readonly (ArgWord | undefined)[];
  /** What may hold a GraphQL query. */
  readonly queries: readonly (ArgWord | undefined)[];
  /** A field that is sent; `null` where its value is not known, `undefined` where it is not there. */
  field(name: string): ArgWord | undefined;
}

/** Reads `gh api`. */
export function ghApi(gh: GhCall, call: CommandCall): ApiCall | undefined {
  const [group, endpoint] = gh.words;
  if (group !== 'api' || typeof endpoint !== 'string') return undefined;
  return fieldsCall('gh api', endpoint, call, {
    raw: gh.values('raw-field'),
    typed: gh.values('field'),
    input: gh.values('input').at(-1),
    method: gh.values('method').at(-1) ?? undefined,
  });
}

/** Reads the calls of an API by the other programs that make them; at most one for each address. */
export function otherApis(call: CommandCall): readonly ApiCall[] {
  const { program, argv } = call.invocation;
  const given = argv.slice(1);
  switch (program) {
    case 'glab':
      return glabApi(given, call);
    case 'curl':
      return curlApis(given, call);
    case 'wget':
      return wgetApis(given, call);
    case 'http':
    case 'https':
    case 'xh':
    case 'xhs':
      return httpieApi(given, call);
    default:
      return [];
  }
}

interface Sent {
  readonly raw: readonly ArgWord[];
  readonly typed: readonly ArgWord[];
  readonly input: ArgWord | undefined;
  readonly method: string | undefined;
}

function fieldsCall(target: string, endpoint: string, call: CommandCall, { raw, typed, input, method }: Sent): ApiCall {
  const fields = [
    ...raw.map((field) => ({ key: fieldKey(field), value: fieldValue(field) })),
    ...typed.map((field) => ({ key: fieldKey(field), value: textOf(fieldValue(field), call) })),
  ];
  const text = input === undefined ? undefined : fileText(input, call);
  const json = jsonObject(text);
  const values = fields.map(({ value }) => value);
  const hasBody = fields.length > 0 || input !== undefined;
  return {
    target,
    method: (method ?? (hasBody ? 'POST' : 'GET')).toUpperCase(),
    path: plainPath(endpoint),
    sent: [...values, text],
    queries: [...fields.filter(({ key }) => key === 'query').map(({ value }) => value), text],
    field: (name) => {
      const found = fields.findLast(({ key }) => key === name);
      if (found) return found.value ?? null;
      // A field whose name only the shell knows may be this one.
      return text === null || fields.some(({ key }) => key === null) ? null : jsonField(json, name);
    },
  };
}

function glabApi(given: readonly ArgWord[], call: CommandCall): readonly ApiCall[] {
  const { words, options } = readOptions(given, glabGrammar);
  const [group, endpoint] = words;
  if (group !== 'api' || typeof endpoint !== 'string') return [];
  const sent: Sent = {
    raw: options.get('raw-field') ?? [],
    typed: options.get('field') ?? [],
    input: options.get('input')?.at(-1),
    method: options.get('method')?.at(-1) ?? undefined,
  };
  return [fieldsCall('glab api', endpoint, call, sent)];
}

/** Source: docs.gitlab.com/cli/api. */
const glabGrammar: OptionGrammar = {
  values: ['repo', 'method', 'field', 'raw-field', 'header', 'input', 'hostname', 'output'],
  flags: ['paginate', 'include', 'silent'],
  short: { R: 'repo', X: 'method', F: 'field', f: 'raw-field', H: 'header', i: 'include' },
};

const curlGrammar: OptionGrammar = {
  values: [
    ...['request', 'data', 'data-raw', 'data-binary', 'data-ascii', 'json', 'header', 'user', 'url', 'output'],
    ...['user-agent', 'write-out', 'max-time', 'connect-timeout', 'retry', 'form', 'cookie', 'oauth2-bearer'],
  ],
  flags: ['silent', 'show-error', 'fail', 'location', 'include', 'verbose', 'insecure', 'head', 'get', 'compressed'],
  short: {
    ...{ X: 'request', d: 'data', H: 'header', u: 'user', o: 'output', A: 'user-agent', w: 'write-out', m: 'max-time' },
    ...{ F: 'form', b: 'cookie', s: 'silent', S: 'show-error', f: 'fail', L: 'location', i: 'include', v: 'verbose' },
    ...{ k: 'insecure', I: 'head', G: 'get' },
  },
};

function curlApis(given: readonly ArgWord[], call: CommandCall): readonly ApiCall[] {
  const { words, options } = readOptions(given, curlGrammar);
  const data = ['data', 'data-raw', 'data-binary', 'data-ascii', 'json'].flatMap((name) => options.get(name) ?? []);
  const texts = data.map((value) => textOf(value, call));
  const method = options.get('request')?.at(-1) ?? (data.length > 0 ? 'POST' : 'GET');
  return addressed('curl', [...words, ...(options.get('url') ?? [])], method, texts);
}

/** Source: the manual of GNU wget 1.24. */
function wgetApis(given: readonly ArgWord[], call: CommandCall): readonly ApiCall[] {
  const { words, options } = readOptions(given, {
    values: ['method', 'body-data', 'body-file', 'post-data', 'post-file', 'header', 'output-document', 'user-agent'],
    flags: ['quiet', 'verbose', 'server-response', 'no-check-certificate', 'content-on-error'],
    short: { q: 'quiet', O: 'output-document', U: 'user-agent', S: 'server-response' },
  });
  const texts = [
    ...['body-data', 'post-data'].flatMap((name) => options.get(name) ?? []),
    ...['body-file', 'post-file'].flatMap((name) => options.get(name) ?? []).map((file) => fileText(file, call)),
  ];
  const isPost = options.has('post-data') || options.has('post-file');
  return addressed('wget', words, options.get('method')?.at(-1) ?? (isPost ? 'POST' : 'GET'), texts);
}

/** `http PUT https://… name=value`. Source: httpie.io/docs/cli. */
function httpieApi(given: readonly ArgWord[], { invocation }: CommandCall): readonly ApiCall[] {
  const words = given.filter((word) => word === null || !word.startsWith('-'));
  const first = words[0];
  const hasMethod = typeof first === 'string' && /^[A-Z]+$/.test(first);
  const [url, ...items] = hasMethod ? words.slice(1) : words;
  const fields = items.flatMap((item) => {
    const match = /^([\w.[\]-]+):?=(.*)$/s.exec(item ?? '');
    return match ? [[match[1] ?? '', match[2] ?? ''] as const] : [];
  });
  const text = fields.length > 0 ? JSON.stringify(Object.fromEntries(fields)) : invocation.stdin;
  const method = hasMethod ? first : text === undefined ? 'GET' : 'POST';
  return addressed(invocation.program ?? 'http', url === undefined ? [] : [url], method, [text]);
}

/** The calls to some addresses with the same text; words that are no address are passed over. */
function addressed(
  target: string,
  urls: readonly ArgWord[],
  method: string,
  texts: readonly (ArgWord | undefined)[],
): readonly ApiCall[] {
  const json = texts.length === 1 ? jsonObject(texts[0]) : undefined;
  return urls.flatMap((url): readonly ApiCall[] => {
    if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return [];
    return [
      {
        target,
        method: method.toUpperCase(),
        path: plainPath(url),
        sent: texts,
        queries: texts,
        field: (name) => (texts.includes(null) ? null : jsonField(json, name)),
      },
    ];
  });
}

function plainPath(endpoint: string): string {
  return endpoint
    .replace(/^https?:\/\/[^/]+\/(api\/v[34]\/|api\/(?=graphql))?/, '')
    .replace(/^\/+|\/*([?#].*)?$/g, '')
    .replace(/^api\/v4\//, '');
}

function fieldKey(field: ArgWord): ArgWord {
  return field?.slice(0, field.indexOf('=')) ?? null;
}

function fieldValue(field: ArgWord): ArgWord {
  return field === null ? null : field.slice(field.indexOf('=') + 1);
}

/** `gh api --field key=@file` and `curl -d @file` send what the file holds. */
function textOf(value: ArgWord, call: CommandCall): ArgWord | undefined {
  return value?.startsWith('@') ? fileText(value.slice(1), call) : value;
}

function jsonObject(text: ArgWord | undefined): object | undefined {
  if (!text?.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // No JSON: the server refuses it too.
    return undefined;
  }
}

function jsonField(json: object | undefined, name: string): string | undefined {
  const value: unknown =
    json && Object.hasOwn(json, name) ? (json as Readonly<Record<string, unknown>>)[name] : undefined;
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
}
