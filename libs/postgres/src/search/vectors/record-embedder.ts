import type { Embedder } from '@turnkeeper/application';
import { embeddedRecord } from '@turnkeeper/search';
import type pg from 'pg';
import type { LogReader } from '../../log/read/log-reader.js';
import { base64Of, embedTexts } from './embed-texts.js';
import type { EmbeddingModels } from './embedding-models.js';
import type { VectorProgress } from './turn-embedder.js';

/** Log events looked at per step: few of them make records. */
const EVENTS_AT_ONCE = 20_000;
const RECORDS_AT_ONCE = 128;
const DELETED_AT_ONCE = 5_000;

interface Unembedded {
  /** Position of an event that wrote it. */
  readonly at: number;
  readonly tenant_id: string;
  readonly record_id: string;
  readonly text: string;
}

/**
 * Embeds records in the background, whichever event wrote them: extracted, inserted, corrected, imported. Follows the log,
 * so a record is found however long the model did not answer. A record that has a vector is passed over.
 */
export class RecordEmbedder {
  constructor(
    private readonly pool: pg.Pool,
    private readonly log: Pick<LogReader, 'headPosition'>,
    private readonly models: EmbeddingModels,
    private readonly embedder: Embedder,
  ) {}

  /** Runs one bounded step. Rejects with `EmbeddingFailed` if the model does not answer. */
  async step(signal: AbortSignal): Promise<VectorProgress> {
    const {
      modelId,
      records: { position, complete },
    } = await this.models.register(this.embedder);
    const head = await this.log.headPosition();
    if (position >= head) {
      if (!complete) await this.models.complete('records', modelId);
      const more = await this.models.dropEarlier('records', modelId, DELETED_AT_ONCE);
      return { left: more ? 1 : 0, refused: 0 };
    }
    const upto = Math.min(head, position + EVENTS_AT_ONCE);
    const { rows } = await this.pool.query<Unembedded>({
      name: 'list_unembedded_records',
      text: 'select * from list_unembedded_records($1, $2, $3, $4)',
      values: [modelId, position, upto, RECORDS_AT_ONCE],
    });
    // One that several events wrote may be listed several times.
    const records = [...new Map(rows.map((row) => [`${row.tenant_id} ${row.record_id}`, row])).values()];
    const refused = await this.embed(modelId, records, signal);
    // The last event may have written further records.
    const reached = rows.length < RECORDS_AT_ONCE ? upto : Math.max(position, (rows.at(-1)?.at ?? 1) - 1);
    // Not if another process has moved it, or a rebuild has set it back.
    await this.pool.query({
      name: 'pass_embedded_records',
      text: 'update embedding_models set records_position = $3 where model_id = $1 and records_position = $2',
      values: [modelId, position, reached],
    });
    return { left: Math.max(0, head - reached), refused };
  }

  private async embed(modelId: number, records: readonly Unembedded[], signal: AbortSignal): Promise<number> {
    if (records.length === 0) return 0;
    const texts = records.map(({ text }) => embeddedRecord(text));
    const vectors = await embedTexts(this.embedder, texts, signal);
    const rows = records.map(({ tenant_id: tenant, record_id: record, text }, index) => {
      const vector = vectors[index] ?? null;
      // An empty vector, so that a rejected record is not asked for again.
      return { tenant, record, text, vector: vector === null ? '' : base64Of(vector) };
    });
    await this.pool.query({
      name: 'keep_record_vectors',
      text: 'select keep_record_vectors($1, $2)',
      values: [modelId, JSON.stringify(rows)],
    });
    return vectors.filter((vector) => vector === null).length;
  }
}
