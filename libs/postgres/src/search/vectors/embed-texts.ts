import { EmbeddingFailed, type Embedder } from '@turnkeeper/application';
import { packVector, type PackedVector } from '@turnkeeper/search';

const TEXTS_AT_ONCE = 32;

/** One vector per text; null for a text that the model rejects. Rejects with `EmbeddingFailed` if it does not answer. */
export const embedTexts = async (
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(PackedVector | null)[]> => {
  const vectors: (PackedVector | null)[] = [];
  for (let at = 0; at < texts.length; at += TEXTS_AT_ONCE) {
    vectors.push(...(await embedSome(embedder, texts.slice(at, at + TEXTS_AT_ONCE), signal)));
  }
  return vectors;
};

/** Falls back to one request per text, so that a rejected text does not block the others. */
const embedSome = async (
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(PackedVector | null)[]> => {
  try {
    return (await embedder.embed(texts, signal)).map(packVector);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const found: (PackedVector | null)[] = [];
  for (const text of texts) {
    try {
      found.push(...(await embedder.embed([text], signal)).map(packVector));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      found.push(null);
    }
  }
  return found;
};

const isRefusal = (error: unknown): boolean =>
  error instanceof EmbeddingFailed && error.code === 'model.request_rejected';

/** As statements take it. */
export const base64Of = (vector: PackedVector): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

/** A vector as Postgres returns it. */
export const vectorOf = (stored: Buffer): PackedVector =>
  new Int8Array(stored.buffer, stored.byteOffset, stored.byteLength);
