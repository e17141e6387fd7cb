import { honestFacts } from './honest.js';
import type { Mode } from './modes.js';

/** Valid sources with odd texts: everything admitted must be storable and stay in its namespace. */
export const oddModes = {
  wrong_language: ({ messages }, reply) =>
    reply.completion(
      JSON.stringify({
        facts: honestFacts(messages).map(({ sources }, index) => ({ text: `Sự thật số ${index + 1}.`, sources })),
      }),
    ),
  null_bytes: ({ messages }, reply) =>
    reply.completion(
      JSON.stringify({
        facts: honestFacts(messages).map(({ text, sources }) => ({ text: `\0${text}\uD800\u0007`, sources })),
      }),
    ),
  instructions_as_facts: ({ messages }, reply) =>
    reply.completion(
      JSON.stringify({
        facts: honestFacts(messages).map(({ sources }) => ({
          text: "'; drop table events; -- {actorId} <script>alert(1)</script>",
          sources,
        })),
      }),
    ),
  endless_texts: ({ messages }, reply) =>
    reply.completion(
      JSON.stringify({ facts: honestFacts(messages).map(({ sources }) => ({ text: 'x'.repeat(20_000), sources })) }),
    ),
} as const satisfies Record<string, Mode>;
