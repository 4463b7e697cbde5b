import type { ArgWord, Invocation } from '../shell/invocation.ts';
import { hole, isKnown, type Text, textOf, toArg } from '../shell/text.ts';
import { apiAddress, apiEndpoint } from './api-address.ts';
import { fileText } from './file-text.ts';
import { apiGrammar, type OptionGrammar, readOptions } from './gh-options.ts';
import { type GraphqlQuery, readGraphql } from './graphql.ts';
import type { CommandCall } from './guard.ts';
import { bodyFields, fieldOf, formFields, Sent } from './sent-fields.ts';

/** A call of a host's API, whatever program makes it. */
export interface ApiCall {
  /** For the counts: `gh api`, `curl`. */
  readonly target: string;
  /** In capitals; a hole where it is not known. */
  readonly method: Text;
  /** Without host, version and query, its parts still encoded: `repos/acme/app/pulls`, `graphql`. */
  readonly path: Text;
  /** Whether it is sure to go to a host of repos. */
  readonly isSure: boolean;
  readonly sent: Sent;
  /** What it asks for, where that is GraphQL. */
  readonly query: GraphqlQuery | undefined;
}

const known = new WeakMap<Invocation, readonly ApiCall[]>();

/** The calls of an API that a command makes: at most one for each address. */
export function apiCalls(call: CommandCall): readonly ApiCall[] {
  const { invocation } = call;
  const before = known.get(invocation);
  if (before) return before;
  const row = invocation.program === null ? undefined : programs.get(invocation.program);
  const calls = row?.(invocation.words.slice(1).map(textOf), call) ?? [];
  known.set(invocation, calls);
  return calls;
}

type Reader = (given: readonly Text[], call: CommandCall) => readonly ApiCall[];

interface Made {
  readonly target: string;
  readonly method: Text;
  readonly path: Text;
  readonly isSure: boolean;
  readonly sent: readonly Sent[];
}

function apiCall({ target, method, path, isSure, sent: parts }: Made): ApiCall {
  const sent = new Sent(
    parts.flatMap(({ fields }) => fields),
    parts.every(({ isWhole }) => isWhole),
  );
  const query = /(?:^|\/)graphql$/.test(path) ? (sent.text('query') ?? hole) : undefined;
  return {
    target,
    method: method.toUpperCase(),
    path,
    isSure,
    sent,
    query: query === undefined ? undefined : readGraphql(query, sent),
  };
}

/** Source: docs.gitlab.com/cli/api, for what glab has besides. */
const hostGrammar: OptionGrammar = {
  values: [...apiGrammar.values, 'repo', 'output'],
  flags: [...apiGrammar.flags, 'help'],
  short: { ...apiGrammar.short, R: 'repo', h: 'help' },
};

/** `gh api`, `glab api`, and `hub api`, which takes the same options. */
const hostProgram =
  (program: 'gh' | 'glab' | 'hub'): Reader =>
  (given, call) => {
    const { words, options } = readOptions(given, hostGrammar);
    const [group, endpoint] = words;
    if (group !== 'api' || typeof endpoint !== 'string' || options.has('help')) return [];
    const values = (name: string): readonly Text[] => (options.get(name) ?? []).map((value) => value ?? hole);
    const typed = values('field').map((written) => {
      const { name, value } = fieldOf(written);
      return { name, value: spoken(value, call) ?? hole };
    });
    const fields = [...values('raw-field').map(fieldOf), ...typed];
    const input = values('input').at(-1);
    const { path, query, isSure } = apiEndpoint(endpoint);
    const method = values('method').at(-1) ?? (fields.length > 0 || input !== undefined ? 'POST' : 'GET');
    const body = input === undefined ? [] : [bodyFields(fileText(toArg(input), call) ?? null)];
    const sent = [formFields(query), ...body, new Sent(fields, true)];
    return [apiCall({ target: `${program} api`, method, path, isSure, sent })];
  };

/** Source: the manual of curl 8.10. */
const curlGrammar: OptionGrammar = {
  values: [
    ...['request', 'data', 'data-raw', 'data-binary', 'data-ascii', 'data-urlencode', 'json', 'header', 'user', 'url'],
    ...['output', 'user-agent', 'write-out', 'max-time', 'connect-timeout', 'retry', 'retry-delay', 'retry-max-time'],
    ...['form', 'form-string', 'cookie', 'cookie-jar', 'oauth2-bearer', 'referer', 'proxy', 'cacert', 'cert', 'key'],
    ...['dump-header', 'config', 'url-query', 'resolve', 'netrc-file', 'output-dir', 'variable', 'expand-url'],
    ...['expand-data', 'expand-header', 'upload-file'],
  ],
  flags: [
    ...['silent', 'show-error', 'fail', 'fail-with-body', 'fail-early', 'location', 'location-trusted', 'include'],
    ...['verbose', 'insecure', 'head', 'get', 'compressed', 'netrc', 'netrc-optional', 'http1.1', 'http2', 'http3'],
    ...[
      'globoff',
      'no-buffer',
      'progress-bar',
      'no-progress-meter',
      'remote-name',
      'remote-header-name',
      'ipv4',
      'ipv6',
    ],
    ...['tlsv1.2', 'tlsv1.3', 'ssl-reqd', 'create-dirs', 'parallel', 'disable', 'retry-all-errors', 'path-as-is'],
    ...['retry-connrefused', 'next', 'raw', 'no-keepalive', 'tcp-nodelay'],
  ],
  short: {
    ...{ X: 'request', d: 'data', H: 'header', u: 'user', o: 'output', A: 'user-agent', w: 'write-out', m: 'max-time' },
    ...{
      F: 'form',
      b: 'cookie',
      c: 'cookie-jar',
      s: 'silent',
      S: 'show-error',
      f: 'fail',
      L: 'location',
      i: 'include',
    },
    ...{ v: 'verbose', k: 'insecure', I: 'head', G: 'get', e: 'referer', x: 'proxy', E: 'cert', D: 'dump-header' },
    ...{
      K: 'config',
      T: 'upload-file',
      n: 'netrc',
      g: 'globoff',
      N: 'no-buffer',
      '#': 'progress-bar',
      O: 'remote-name',
    },
    ...{ J: 'remote-header-name', '4': 'ipv4', '6': 'ipv6', Z: 'parallel', q: 'disable', '0': 'http1.1' },
  },
};

const curlData = ['data', 'data-raw', 'data-binary', 'data-ascii', 'json'] as const;

const curl: Reader = (given, call) => {
  const { words, options } = readOptions(given, curlGrammar);
  const values = (...names: readonly string[]): readonly Text[] =>
    names.flatMap((name) => options.get(name) ?? []).map((value) => value ?? hole);
  const data = values(...curlData).map((value) => spoken(value, call) ?? hole);
  const forms = values('data-urlencode', 'form', 'form-string').map(fieldOf);
  const body = data.length === 1 ? bodyOf(data[0] ?? '') : formFields(data.join('&'));
  const isSent = data.length > 0 || forms.length > 0;
  const isGet = options.has('get') || options.has('head');
  const method = values('request').at(-1) ?? (isSent && !isGet ? 'POST' : 'GET');
  const urls = [...words.map((word) => word ?? hole), ...values('url')];
  return addressed('curl', urls, method, [body, new Sent(forms, true)], call);
};

/** Source: the manual of GNU wget 1.24. */
const wget: Reader = (given, call) => {
  const { words, options } = readOptions(given, {
    values: ['method', 'body-data', 'body-file', 'post-data', 'post-file', 'header', 'output-document', 'user-agent'],
    flags: ['quiet', 'verbose', 'server-response', 'no-check-certificate', 'content-on-error'],
    short: { q: 'quiet', O: 'output-document', U: 'user-agent', S: 'server-response' },
  });
  const values = (...names: readonly string[]): readonly Text[] =>
    names.flatMap((name) => options.get(name) ?? []).map((value) => value ?? hole);
  const bodies = [
    ...values('body-data', 'post-data').map(bodyOf),
    ...values('body-file', 'post-file').map((file) => bodyFields(fileText(toArg(file), call) ?? null)),
  ];
  const isPost = options.has('post-data') || options.has('post-file');
  const method = values('method').at(-1) ?? (isPost ? 'POST' : 'GET');
  return addressed(
    'wget',
    words.map((word) => word ?? hole),
    method,
    bodies,
    call,
  );
};

/** Source: httpie.io/docs/cli and the help of xh 0.24; `-h` asks for the headers there. */
const httpieGrammar: OptionGrammar = {
  values: [
    'auth',
    'auth-type',
    'output',
    'print',
    'style',
    'raw',
    'session',
    'timeout',
    'proxy',
    'verify',
    'cert',
    'bearer',
  ],
  flags: [
    ...['json', 'form', 'multipart', 'headers', 'body', 'verbose', 'follow', 'download', 'check-status', 'quiet'],
    ...['ignore-stdin', 'offline', 'continue', 'stream', 'compress', 'all', 'meta'],
  ],
  short: {
    ...{ a: 'auth', A: 'auth-type', o: 'output', p: 'print', s: 'style', j: 'json', f: 'form', h: 'headers' },
    ...{ b: 'body', v: 'verbose', F: 'follow', d: 'download', q: 'quiet', I: 'ignore-stdin', c: 'continue' },
    ...{ S: 'stream', x: 'compress', m: 'meta' },
  },
};

/** `http PUT https://… name=value`, where method and scheme may be left out and the method may be small. */
const httpie: Reader = (given, call) => {
  const { words, options } = readOptions(given, httpieGrammar);
  if (options.has('offline')) return [];
  const texts = words.map((word) => word ?? hole);
  const hasMethod = texts.length > 1 && /^[A-Za-z]+$/.test(texts[0] ?? '');
  const [url, ...items] = hasMethod ? texts.slice(1) : texts;
  const fields = items.flatMap((item) => {
    // `name==value` goes to the address, `name:value` is a header, `name=@file` sends a file.
    const [, name = '', value = ''] = /^([^:=@]+)(?::?=|==)(?!=)(.*)$/s.exec(item) ?? [];
    return name === '' ? [] : [{ name: fieldOf(`${name}=`).name, value: spoken(value, call) ?? hole }];
  });
  const raw = options.get('raw')?.at(-1);
  const { stdin, program } = call.invocation;
  const isFed = fields.length === 0 && stdin !== undefined && !options.has('ignore-stdin');
  const body = raw === undefined ? (isFed ? [bodyFields(stdin)] : []) : [bodyFields(raw)];
  const method = hasMethod ? (texts[0] ?? '') : fields.length > 0 || body.length > 0 ? 'POST' : 'GET';
  return addressed(program ?? 'http', url === undefined ? [] : [url], method, [...body, new Sent(fields, true)], call);
};

/** The calls to some addresses with the same body; words that are no address of an API are passed over. */
function addressed(
  target: string,
  urls: readonly Text[],
  method: Text,
  sent: readonly Sent[],
  { repo }: CommandCall,
): readonly ApiCall[] {
  return urls.flatMap((url): readonly ApiCall[] => {
    const address = apiAddress(url, repo);
    if (!address) return [];
    const { path, query, isSure } = address;
    return [apiCall({ target, method, path, isSure, sent: [formFields(query), ...sent] })];
  });
}

const programs: ReadonlyMap<string, Reader> = new Map([
  ['gh', hostProgram('gh')],
  ['glab', hostProgram('glab')],
  ['hub', hostProgram('hub')],
  ['curl', curl],
  ['wget', wget],
  ['http', httpie],
  ['https', httpie],
  ['xh', httpie],
  ['xhs', httpie],
]);

/** `gh api --field key=@file` and `curl -d @file` send what the file holds. */
function spoken(value: Text, call: CommandCall): Text | undefined {
  if (!value.startsWith('@')) return value;
  const text: ArgWord | undefined = isKnown(value) ? fileText(value.slice(1), call) : null;
  return text ?? undefined;
}

/** A text that is sent; one with an unknown part still says the rest. */
const bodyOf = (text: Text): Sent => (text === hole ? new Sent([], false) : bodyFields(text));
