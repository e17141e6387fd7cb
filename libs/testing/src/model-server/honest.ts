import type { ShownMessage } from './request.js';

/** A fact in wire format. */
export interface WireFact {
  readonly text: string;
  readonly sources: readonly { readonly event: string; readonly quote: string }[];
}

const FACT = /FACT: ([^.\n]+)\./g;

/**
 * The facts an honest model finds in a text: the `x` of every "FACT: x." in it, with those words as the quote. Tests
 * use it to compute the expected records of a conversation.
 */
export const plantedFacts = (text: string): { readonly text: string; readonly quote: string }[] =>
  [...text.matchAll(FACT)].map((match) => ({ text: `${match[1] ?? ''}.`, quote: match[0] }));

export const honestFacts = (messages: readonly ShownMessage[]): WireFact[] =>
  messages.flatMap(({ id, text }) =>
    plantedFacts(text).map((fact) => ({ text: fact.text, sources: [{ event: id, quote: fact.quote }] })),
  );
