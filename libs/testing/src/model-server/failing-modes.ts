import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { honestFacts } from './honest.js';
import type { Mode } from './modes.js';
import type { Reply } from './reply.js';

const TEN_MEGABYTES = 10 * 1024 * 1024;

/** A long answer in 64 KiB chunks, with backpressure. */
const stream = async (reply: Reply, bytes: number, head: string): Promise<void> => {
  const { response } = reply;
  response.writeHead(200, { 'content-type': 'application/json' });
  const pieces = function* () {
    yield head;
    for (let sent = 0; sent < bytes; sent += 65_536) yield 'a'.repeat(65_536);
    yield '"}}]}';
  };
  await pipeline(Readable.from(pieces()), response).catch(() => undefined); // the client may hang up
};

/** Deterministic bytes that look random. */
const junk = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  let state = 0x2545f491;
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
};

const cut = (text: string): string => text.slice(0, Math.max(10, Math.floor(text.length * 0.7)));

/** Unusable answers: each must fail with its code and leave no state behind. */
export const failingModes = {
  junk_bytes: (_, reply) => reply.raw(200, junk(4_096), { 'content-type': 'application/json' }),
  junk_content: (_, reply) => reply.completion(junk(4_096).toString('latin1')),
  truncated_json: (request, reply) =>
    reply.completion(cut(JSON.stringify({ facts: [...honestFacts(request.messages), { text: 'x', sources: [] }] }))),
  /** Readable, but the endpoint reports that it was truncated. */
  truncated_at_limit: (request, reply) =>
    reply.completion(JSON.stringify({ facts: honestFacts(request.messages) }), { finishReason: 'length' }),
  /** The thoughts used up the token limit. */
  only_thoughts: (_, reply) => reply.completion('<think>Perhaps {"facts": []}'),
  error_with_status_200: (_, reply) => reply.json(200, { error: { code: 502, message: 'Provider returned error' } }),
  refusal: (_, reply) => reply.completion(null, { refusal: 'I cannot help with that.' }),
  refusal_in_prose: (_, reply) => reply.completion("I'm sorry, but I can't help with personal data."),
  content_filter: (_, reply) => reply.completion('', { finishReason: 'content_filter' }),
  huge_answer: (_, reply) => stream(reply, TEN_MEGABYTES, '{"choices":[{"finish_reason":"stop","message":{"content":"'),
  /** Never ends, like a model that gets lost in a JSON schema. */
  endless_blanks: (_, reply) => {
    reply.response.writeHead(200, { 'content-type': 'application/json' });
    reply.response.write('{"choices":[{"message":{"content":"{\\n');
    const writing = setInterval(() => reply.response.write(' \\n'.repeat(1_000)), 5);
    reply.response.on('close', () => clearInterval(writing));
  },
  wrong_types: (request, reply) =>
    reply.completion(
      JSON.stringify({ facts: request.messages.map(({ id }) => ({ text: 42, sources: { event: id, quote: null } })) }),
    ),
  wrong_shape: (_, reply) => reply.completion('{"memories": ["User likes tea."]}'),
  facts_as_text: (_, reply) => reply.completion('{"facts": "User likes tea."}'),
  null_answer: (_, reply) => reply.completion('null'),
  too_many_facts: (_, reply) =>
    reply.completion(JSON.stringify({ facts: Array.from({ length: 5_000 }, () => ({ text: 'x', sources: [] })) })),
  empty_content: (_, reply) => reply.completion(''),
  missing_content: (_, reply) => reply.completion(null),
  no_choices: (_, reply) => reply.json(200, { choices: [] }),
  empty_body: (_, reply) => reply.raw(200, ''),
  deep_nesting: (_, reply) => reply.completion(`{"facts":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
  open_brackets: (_, reply) => reply.completion('{"facts":['.repeat(20_000)),
  proto_keys: (_, reply) => reply.completion('{"__proto__": {"facts": []}, "constructor": {"facts": []}}'),
  html_page: (_, reply) => reply.raw(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }),
  html_bad_gateway: (_, reply) => reply.raw(502, '<html>502 Bad Gateway</html>', { 'content-type': 'text/html' }),
  redirect: (_, reply) => reply.raw(307, '', { location: 'http://127.0.0.1:9/elsewhere' }),
  server_error: (_, reply) => reply.json(500, { error: { message: 'boom' } }),
  overloaded: (_, reply) => reply.json(503, { error: { message: 'busy' } }, { 'retry-after': '7' }),
  rate_limited_seconds: (_, reply) => reply.json(429, { error: { message: 'slow down' } }, { 'retry-after': '12' }),
  rate_limited_date: (_, reply) => reply.json(429, {}, { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }),
  rate_limited_nonsense: (_, reply) => reply.json(429, {}, { 'retry-after': 'when the moon is full' }),
  unauthorized: (_, reply) => reply.json(401, { error: { message: 'bad key' } }),
  no_credit: (_, reply) => reply.json(402, { error: { message: 'insufficient credits' } }),
  small_context: (_, reply) =>
    reply.json(400, { error: { message: "This model's maximum context length is 4096 tokens." } }),
  not_found: (_, reply) => reply.json(404, { error: { message: 'no such model' } }),
  drop_connection: (_, reply) => reply.drop(),
  drop_midway: (_, reply) => reply.drop('{"choices":[{"message":{"content":"{\\"facts\\":[{\\"te'),
  hang: () => undefined,
  hang_midway: (_, reply) => {
    reply.response.writeHead(200, { 'content-type': 'application/json' });
    reply.response.write('{"choices":');
  },
} as const satisfies Record<string, Mode>;
