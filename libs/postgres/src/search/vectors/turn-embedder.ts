import type { Embedder } from '@turnkeeper/application';
import { embeddedText, indexTurn } from '@turnkeeper/search';
import type pg from 'pg';
import { HeardMessages } from '../../log/read/heard-messages.js';
import type { LogReader } from '../../log/read/log-reader.js';
import { base64Of, embedTexts } from './embed-texts.js';
import type { EmbeddingModels } from './embedding-models.js';

/** Log events processed per step. A failure repeats no more than this. */
const AT_ONCE = 256;
const DELETED_AT_ONCE = 5_000;

export interface VectorProgress {
  /** Log events not yet processed. */
  readonly left: number;
  /** Texts that the model rejected. They are found by their words only. */
  readonly refused: number;
}

/** Embeds the turns of the log in the background, in order, and stores their vectors. */
export class TurnEmbedder {
  private readonly heard: HeardMessages;

  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Pick<LogReader, 'readLog' | 'headPosition'>,
    private readonly models: EmbeddingModels,
    private readonly embedder: Embedder,
  ) {
    this.heard = new HeardMessages(pool);
  }

  /** Runs one bounded step. Rejects with `EmbeddingFailed` if the model does not answer. */
  async step(signal: AbortSignal): Promise<VectorProgress> {
    const {
      modelId,
      turns: { position, complete },
    } = await this.models.register(this.embedder);
    const head = await this.log.headPosition();
    if (position >= head) {
      if (!complete) await this.models.complete('turns', modelId);
      const more = await this.models.dropEarlier('turns', modelId, DELETED_AT_ONCE);
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
    const found = await embedTexts(
      this.embedder,
      turns.map(({ text }) => text),
      signal,
    );
    const vectors = turns.flatMap(({ position }, index) => {
      const vector = found[index] ?? null;
      return vector === null ? [] : [{ position, vector: base64Of(vector) }];
    });
    return { vectors, refused: turns.length - vectors.length };
  }
}

const hasText = (turn: { position: number; text: string | null }): turn is { position: number; text: string } =>
  turn.text !== null;
