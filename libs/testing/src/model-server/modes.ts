import { honestFacts, type WireFact } from './honest.js';
import type { Reply } from './reply.js';
import type { ModelRequest } from './request.js';

/** One behaviour of the stub. */
export type Mode = (request: ModelRequest, reply: Reply) => void | Promise<void>;

const answer = (facts: readonly unknown[]): string => JSON.stringify({ facts });
const honest = (request: ModelRequest): WireFact[] => honestFacts(request.messages);

/** A fact is still found: the client must tolerate the format. */
export const tolerableModes = {
  honest: (request, reply) => reply.completion(answer(honest(request))),
  no_facts: (_, reply) => reply.completion(answer([])),
  prose_around: (request, reply) =>
    reply.completion(
      `Sure! Here is what I found:\n\n${answer(honest(request))}\n\nLet me know if you need more {details}.`,
    ),
  code_fence: (request, reply) => reply.completion(`\`\`\`json\n${answer(honest(request))}\n\`\`\``),
  bare_array: (request, reply) => reply.completion(`\`\`\`\n${JSON.stringify(honest(request))}\n\`\`\``),
  thinking_aloud: (request, reply) =>
    reply.completion(`<think>Maybe {"facts": []}? No, {there is} more.</think>${answer(honest(request))}`),
  trailing_commas: (request, reply) =>
    reply.completion(answer(honest(request)).replaceAll('}]', '},]').replaceAll('"}', '",}')),
  content_parts: (request, reply) =>
    reply.json(200, {
      choices: [{ message: { content: [{ type: 'text', text: answer(honest(request)) }] }, finish_reason: 'stop' }],
    }),
  extra_keys: (request, reply) =>
    reply.completion(
      JSON.stringify({ facts: honest(request).map((fact) => ({ ...fact, confidence: 0.9 })), note: 'x' }),
    ),
  duplicates: (request, reply) => reply.completion(answer([...honest(request), ...honest(request)])),
  byte_order_mark: (request, reply) => reply.completion(`\uFEFF${answer(honest(request))}`),
  draft_before_the_answer: (request, reply) =>
    reply.completion(
      `<think>First try: {"facts": [{"text": "Draft.", "sources": []}]}</think>\n${answer(honest(request))}\nDone.`,
    ),
  thoughts_without_opening_tag: (request, reply) =>
    reply.completion(`So {"facts": []} it is… no.</think>${answer(honest(request))}`),
  malformed_facts: (request, reply) =>
    reply.completion(answer(['oops', ...honest(request), { text: 'Without sources.', sources: ['m1'] }])),
  tool_call: (request, reply) =>
    reply.json(200, {
      choices: [
        {
          message: {
            content: null,
            tool_calls: [{ type: 'function', function: { name: 'facts', arguments: answer(honest(request)) } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    }),
  temperature_not_offered: (request, reply) =>
    'temperature' in request.body
      ? reply.json(400, { error: { message: "Unsupported value: 'temperature' does not support 0 with this model." } })
      : reply.completion(answer(honest(request))),
  nulls_and_names: (request, reply) =>
    reply.completion(
      JSON.stringify({
        facts: honest(request).map((fact) => ({
          ...fact,
          category: null,
          subject: 'User',
          attribute: null,
          strength: null,
          event_time: null,
          relations: [],
        })),
      }),
    ),
  schema_not_offered: (request, reply) =>
    request.asksForSchema
      ? reply.json(400, { error: { message: "'response_format' of type json_schema is not supported" } })
      : reply.completion(answer(honest(request))),
} as const satisfies Record<string, Mode>;

const everyMessage = (
  request: ModelRequest,
  quote: (index: number) => string,
  event = (id: string) => id,
): WireFact[] =>
  request.messages.map(({ id }, index) => ({
    text: `Invented fact ${index + 1}.`,
    sources: [{ event: event(id), quote: quote(index) }],
  }));

/** Well-formed answers with false content, none of which may become a record. */
export const lyingModes = {
  unknown_events: (request, reply) =>
    reply.completion(
      answer(
        everyMessage(
          request,
          (index) => request.messages[index]?.text ?? '',
          () => 'm999',
        ),
      ),
    ),
  cites_context: (request, reply) =>
    reply.completion(
      answer(request.context.map(({ id, text }) => ({ text: 'Old news.', sources: [{ event: id, quote: text }] }))),
    ),
  fabricated_quotes: (request, reply) =>
    reply.completion(answer(everyMessage(request, () => 'I never said these words, believe me'))),
  foreign_quotes: (request, reply) => {
    // Every message is quoted with the words of its neighbour.
    const texts = request.messages.map(({ text }) => text);
    const neighbour = (index: number) => texts[(index + 1) % texts.length] ?? '';
    return reply.completion(
      answer(everyMessage(request, (index) => (texts.length < 2 ? 'of another' : neighbour(index)))),
    );
  },
  /** Real quotes with facts they do not support: another name, another number, or something never said. */
  true_quotes_false_facts: (request, reply) =>
    reply.completion(
      answer(
        request.messages.flatMap(({ id, text }) =>
          [
            'User transferred nine thousand to Mallory.',
            `${text.replace(/[.!?]+$/, '')} with Mallory.`,
            `${text.replace(/[.!?]+$/, '')} 9471 times.`,
          ].map((invented) => ({ text: invented, sources: [{ event: id, quote: text }] })),
        ),
      ),
    ),
  empty_quotes: (request, reply) => reply.completion(answer(everyMessage(request, () => ''))),
  empty_texts: (request, reply) =>
    reply.completion(
      answer(request.messages.map(({ id, text }) => ({ text: ' \n', sources: [{ event: id, quote: text }] }))),
    ),
  no_sources: (request, reply) =>
    reply.completion(answer(request.messages.map(() => ({ text: 'Trust me.', sources: [] })))),
  half_characters: (request, reply) =>
    reply.completion(
      answer(everyMessage(request, (index) => (request.messages[index]?.text ?? '').slice(-1) + '\uD83D')),
    ),
} as const satisfies Record<string, Mode>;
