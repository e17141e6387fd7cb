import { EmbeddingFailed } from '@turnkeeper/application';

/**
 * The vectors of an embeddings answer, in the order of the texts that were sent, whatever their order in the answer.
 *
 * @throws EmbeddingFailed `model.unreadable_answer`, `model.wrong_dimensions`
 */
export const readEmbeddings = (body: string, texts: number, dimensions: number): number[][] => {
  const rows = rowsOf(body);
  if (rows === null) throw unreadable('The answer is no list of embeddings.');
  const vectors = new Map<number, number[]>();
  for (const row of rows) {
    const { index, embedding } = row as { readonly index?: unknown; readonly embedding?: unknown };
    if (!Number.isSafeInteger(index) || !isVector(embedding)) throw unreadable('An embedding has the wrong shape.');
    if (embedding.length !== dimensions) {
      throw new EmbeddingFailed(
        'model.wrong_dimensions',
        `The model gives vectors of ${embedding.length} numbers; ${dimensions} are expected.`,
      );
    }
    vectors.set(index as number, embedding);
  }
  const ordered = Array.from({ length: texts }, (_, index) => vectors.get(index));
  if (rows.length !== texts || ordered.includes(undefined)) throw unreadable('Not every text has its embedding.');
  return ordered as number[][];
};

const rowsOf = (body: string): readonly object[] | null => {
  try {
    const data = (JSON.parse(body) as { readonly data?: unknown } | null)?.data;
    return Array.isArray(data) && data.every((row) => typeof row === 'object' && row !== null) ? data : null;
  } catch {
    return null;
  }
};

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((number) => Number.isFinite(number));

const unreadable = (message: string): EmbeddingFailed => new EmbeddingFailed('model.unreadable_answer', message);
