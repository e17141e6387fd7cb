import type { ShownMessage } from './request.js';

/** A fact as the wire shape has it. */
export interface WireFact {
  readonly text: string;
  readonly sources: readonly { readonly event: string; readonly quote: string }[];
}

const FACT = /FACT: ([^.\n]+)\./g;

/**
 * What an honest model finds in a text: the `x` of every "FACT: x." in it, with those words as the quote.
 * Tests compute with it which records a conversation must give.
 */
export const plantedFacts = (text: string): { readonly text: string; readonly quote: string }[] =>
  [...text.matchAll(FACT)].map((match) => ({ text: `${match[1] ?? ''}.`, quote: match[0] }));

export const honestFacts = (messages: readonly ShownMessage[]): WireFact[] =>
  messages.flatMap(({ id, text }) =>
    plantedFacts(text).map((fact) => ({ text: fact.text, sources: [{ event: id, quote: fact.quote }] })),
  );
