/** Cuts a text into the fewest pieces of about the same length, at most `longest` characters each, between words where it can. */
export const piecesOf = (text: string, longest: number): readonly string[] => {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > longest) {
    const end = endOfPiece(rest, Math.ceil(rest.length / Math.ceil(rest.length / longest)));
    pieces.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...pieces, rest];
};

/** The last space of the first `length` characters; without one, there, but not inside a surrogate pair. */
const endOfPiece = (text: string, length: number): number => {
  const space = text.lastIndexOf(' ', length);
  if (space > 0) return space;
  const isPair = (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return isPair && length > 1 ? length - 1 : length;
};

/** The mean of the vectors of a text's pieces. */
export const meanOf = (vectors: readonly (readonly number[])[]): readonly number[] => {
  const [first = [], ...others] = vectors;
  if (others.length === 0) return first;
  return first.map((_, at) => vectors.reduce((sum, vector) => sum + (vector[at] as number), 0) / vectors.length);
};
