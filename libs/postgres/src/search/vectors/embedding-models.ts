import type { Embedder, Embedders } from '@turnkeeper/application';
import type pg from 'pg';

/** What has vectors. Records and turns are embedded independently of each other. */
export type Embedded = 'turns' | 'records';

/** How far a model has got. */
export interface Progress {
  /** The log is embedded up to this position. */
  readonly position: number;
  /** True once the model has reached the head of the log. */
  readonly complete: boolean;
}

/** A model with stored vectors. */
export interface StoredModel {
  readonly modelId: number;
  readonly model: string;
  readonly dimensions: number;
  readonly turns: Progress;
  readonly records: Progress;
}

/** The model whose vectors are searched, with the embedder for questions. */
export interface ServingModel {
  readonly modelId: number;
  readonly embedder: Embedder;
}

/** The configured dimensions contradict the stored vectors. */
class WrongDimensions extends Error {
  constructor(model: string, stored: number, configured: number) {
    super(
      `EMBEDDINGS_DIMENSIONS is ${configured}, but the stored vectors of ${model} have ${stored}. ` +
        `Set it to ${stored}, or give the other model another name.`,
    );
    this.name = 'WrongDimensions';
  }
}

const MODELS = `
  select model_id as "modelId", model, dimensions,
         json_build_object('position', position, 'complete', complete) as turns,
         json_build_object('position', records_position, 'complete', records_complete) as records
  from embedding_models order by model_id desc`;
const COMPLETE = {
  turns: 'update embedding_models set complete = true where model_id = $1',
  records: 'update embedding_models set records_complete = true where model_id = $1',
};
const DELETE = {
  turns: `delete from turn_vectors v using (
            select o.session_key, o.sequence, o.model_id from turn_vectors o where o.model_id < $1 limit $2
          ) d
          where v.session_key = d.session_key and v.sequence = d.sequence and v.model_id = d.model_id`,
  records: `delete from record_vectors v using (
              select o.record_id, o.tenant_id, o.model_id from record_vectors o where o.model_id < $1 limit $2
            ) d
            where v.record_id = d.record_id and v.tenant_id = d.tenant_id and v.model_id = d.model_id`,
};
const DELETE_MODELS = `
  delete from embedding_models m where m.model_id < $1
    and not exists (select from turn_vectors v where v.model_id = m.model_id)
    and not exists (select from record_vectors v where v.model_id = m.model_id)`;

/** Models with stored vectors. */
export class EmbeddingModels {
  /** @param pool sees every tenant's rows */
  constructor(private readonly pool: pg.Pool) {}

  async list(): Promise<StoredModel[]> {
    return (await this.pool.query<StoredModel>({ name: 'embedding_models', text: MODELS })).rows;
  }

  /**
   * Returns the stored model, registering it if new. Rejects with `WrongDimensions` if it is stored with other
   * dimensions.
   */
  async register({ model, dimensions }: Embedder): Promise<StoredModel> {
    await this.pool.query(
      'insert into embedding_models (model, dimensions) values ($1, $2) on conflict (model) do nothing',
      [model, dimensions],
    );
    const stored = (await this.list()).find((one) => one.model === model);
    if (stored === undefined) throw new Error('the embedding model was deleted while it was registered');
    if (stored.dimensions !== dimensions) throw new WrongDimensions(model, stored.dimensions, dimensions);
    return stored;
  }

  /**
   * The model to search with: the configured one once it covers the whole log. Until then, the newest model that did,
   * if questions can still be embedded with it; else the configured one as far as it has got.
   */
  async serving(what: Embedded, { current, of }: Embedders): Promise<ServingModel | null> {
    const stored = await this.list();
    const own = stored.find(({ model, dimensions }) => model === current.model && dimensions === current.dimensions);
    if (own?.[what].complete !== true) {
      for (const { modelId, model, dimensions, [what]: progress } of stored) {
        const embedder = progress.complete ? of(model, dimensions) : null;
        if (embedder !== null) return { modelId, embedder };
      }
    }
    return own === undefined ? null : { modelId: own.modelId, embedder: current };
  }

  async complete(what: Embedded, modelId: number): Promise<void> {
    await this.pool.query(COMPLETE[what], [modelId]);
  }

  /** Deletes up to `most` vectors of earlier models, and models without vectors. Resolves to true if some are left. */
  async dropEarlier(what: Embedded, modelId: number, most: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(DELETE[what], [modelId, most]);
    if (rowCount === most) return true;
    await this.pool.query(DELETE_MODELS, [modelId]);
    return false;
  }
}
