/** Part of a message: `content.slice(start, end) === text`, so that it can be quoted verbatim. */
export interface Span {
  readonly text: string;
  /** Offset in UTF-16 units from the start of the message. */
  readonly start: number;
  readonly end: number;
}

/** The part of a span between two offsets in its own text, trimmed. */
export const subSpan = (span: Span, from: number, to: number): Span => {
  const raw = span.text.slice(from, to);
  const text = raw.trim();
  const start = span.start + from + (raw.length - raw.trimStart().length);
  return { text, start, end: start + text.length };
};

/** Splits a span at the given offsets in its own text; empty parts are left out. */
export const cutSpan = (span: Span, offsets: readonly number[]): Span[] => {
  const edges = [0, ...offsets, span.text.length];
  return edges
    .slice(1)
    .map((to, index) => subSpan(span, edges[index] ?? 0, to))
    .filter((part) => part.text !== '');
};
