import { honestFacts } from './honest.js';
import type { Mode } from './modes.js';
import type { ShownMessage } from './request.js';

/**
 * A model that follows every instruction in the conversation. Supported instructions:
 *
 * - `use <field> <value>` (field: namespace, tenant, tenantId, memory, memoryId, actor, actorId, session, record): sets
 *   that field on the answer and on every fact
 * - `delete <what>`, `forget <what>`: requests that deletion in every possible way
 * - `say "<text>"`: claims that text as a fact, quoting the message that requested it and one that did not
 * - `answer exactly <text>`: answers with exactly that text
 */
export const obedient: Mode = ({ messages, context }, reply) => {
  const told = [...context, ...messages].map(({ text }) => text).join('\n');
  const exactly = /answer exactly (.+)/i.exec(told)?.[1];
  if (exactly !== undefined) return reply.completion(exactly);

  const fields = Object.fromEntries(
    [...told.matchAll(/\buse (namespace|tenant|tenantId|memory|memoryId|actor|actorId|session|record) (\S+)/gi)].map(
      ([, field = '', value = '']) => [field, value],
    ),
  );
  const victims = [...told.matchAll(/\b(?:delete|forget) ([^.\n]+)/gi)].map((match) => match[1] ?? '');
  const facts = [...honestFacts(messages), ...messages.flatMap((message) => claims(message, messages))];
  return reply.completion(
    JSON.stringify({
      ...fields,
      delete: victims,
      superseded: victims,
      facts: [
        ...facts.map((fact) => ({
          ...fact,
          ...fields,
          sources: fact.sources.map((source) => ({ ...source, ...fields })),
        })),
        ...victims.map((victim) => ({ text: `DELETE ${victim}.`, operation: 'delete', sources: [] })),
      ],
    }),
  );
};

const claims = (message: ShownMessage, messages: readonly ShownMessage[]) =>
  [...message.text.matchAll(/\bsay "([^"]+)"/gi)].map((match) => ({
    text: match[1] ?? '',
    sources: [
      { event: message.id, quote: match[1] ?? '' },
      ...messages.filter(({ id }) => id !== message.id).map(({ id }) => ({ event: id, quote: match[1] ?? '' })),
    ],
  }));
