import { EmbeddingFailed, type Embedder } from '@turnkeeper/application';
import { embeddedText, indexTurn, packVector, type PackedVector } from '@turnkeeper/search';
import type pg from 'pg';
import { HeardMessages } from '../../log/read/heard-messages.js';
import type { LogReader } from '../../log/read/log-reader.js';
import type { EmbeddingModels } from './embedding-models.js';

/** Log events processed per step. A failure repeats no more than this. */
const AT_ONCE = 256;
const TEXTS_AT_ONCE = 32;
const DELETED_AT_ONCE = 5_000;

export interface VectorProgress {
  /** Log events not yet processed. */
  readonly left: number;
  /** Turns the model rejected. They are found by their words only. */
  readonly refused: number;
}

/** Embeds the turns of the log in the background, in order, and stores their vectors. */
export class VectorIndexer {
  private readonly heard: HeardMessages;

  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Pick<LogReader, 'readLog' | 'headPosition'>,
    private readonly models: EmbeddingModels,
    private readonly embedder: Embedder,
  ) {
    this.heard = new HeardMessages(pool);
  }

  /** Registers the configured model. Rejects with `WrongDimensions` if its stored vectors have other dimensions. */
  async register(): Promise<void> {
    await this.models.register(this.embedder);
  }

  /** Runs one bounded step. Rejects with `EmbeddingFailed` if the model does not answer. */
  async step(signal: AbortSignal): Promise<VectorProgress> {
    const { model_id: modelId, position, complete } = await this.models.register(this.embedder);
    const head = await this.log.headPosition();
    if (position >= head) {
      if (!complete) await this.models.complete(modelId);
      const more = await this.models.dropEarlier(modelId, DELETED_AT_ONCE);
      return { left: more ? 1 : 0, refused: 0 };
    }
    const upto = Math.min(head, position + AT_ONCE);
    const turns = await this.turnsAfter(position, upto);
    const { vectors, refused } = await this.vectorsOf(turns.filter(hasText), signal);
    const unheard = turns.filter((turn) => !hasText(turn)).map((turn) => ({ position: turn.position, vector: null }));
    const { rows } = await this.pool.query<{ reached: number | null }>({
      name: 'keep_turn_vectors',
      text: 'select keep_turn_vectors($1, $2, $3, $4)::float8 as reached',
      values: [modelId, position, upto, JSON.stringify([...vectors, ...unheard])],
    });
    return { left: Math.max(0, head - (rows[0]?.reached ?? position)), refused };
  }

  /** What was heard in the next turns, and in earlier ones that were interrupted since; null: nothing. */
  private async turnsAfter(position: number, upto: number): Promise<{ position: number; text: string | null }[]> {
    const events = await this.log.readLog(position, AT_ONCE, ['message.appended', 'message.interrupted'], upto);
    const interrupted = await this.heard.interruptedBy(events, upto);
    const messages = [...interrupted, ...(await this.heard.messagesUpTo(events, upto))];
    return messages.map((event) => ({
      position: event.position,
      text: indexTurn(event.data, event.recordedAt, 'en') === null ? null : embeddedText(event.data),
    }));
  }

  private async vectorsOf(turns: readonly { position: number; text: string }[], signal: AbortSignal) {
    const vectors: { position: number; vector: string }[] = [];
    let refused = 0;
    for (let at = 0; at < turns.length; at += TEXTS_AT_ONCE) {
      const some = turns.slice(at, at + TEXTS_AT_ONCE);
      const found = await this.embed(some, signal);
      found.forEach((vector, index) => {
        if (vector === null) refused += 1;
        else vectors.push({ position: (some[index] as { position: number }).position, vector: base64Of(vector) });
      });
    }
    return { vectors, refused };
  }

  /** Falls back to one request per text, so that a rejected text does not block the others. */
  private async embed(turns: readonly { text: string }[], signal: AbortSignal): Promise<(PackedVector | null)[]> {
    const texts = turns.map(({ text }) => text);
    try {
      return (await this.embedder.embed(texts, signal)).map(packVector);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    const found: (PackedVector | null)[] = [];
    for (const text of texts) {
      try {
        found.push(...(await this.embedder.embed([text], signal)).map(packVector));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        found.push(null);
      }
    }
    return found;
  }
}

const hasText = (turn: { position: number; text: string | null }): turn is { position: number; text: string } =>
  turn.text !== null;

const isRefusal = (error: unknown): boolean =>
  error instanceof EmbeddingFailed && error.code === 'model.request_rejected';

const base64Of = (vector: PackedVector): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
