import { randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { raw, sqlFor, sqlOf } from '../connections/sql.js';
import { placeOf } from '../secrets/places.js';
import type { SecretCipher } from '../secrets/secret-cipher.js';

/** How long a request counts as running if its process never reports back. */
const RUNNING_SECONDS = 60;
const KEPT = `interval '24 hours'`;

interface Row {
  request_id: string;
  fingerprint: string;
  answer: string | null;
  running: boolean;
}

/** A request with an idempotency key. */
export interface IdempotentRequest {
  readonly tenantId: string;
  /** Operation id. Keys are unique per tenant and operation. */
  readonly route: string;
  readonly key: string;
  /** Hash of everything that must match in a repeated request. */
  readonly fingerprint: string;
  /** Memory that the request names; null for none. */
  readonly memoryId: string | null;
}

/**
 * What to do with a request.
 *
 * - `first`: carry it out, then call `answer` or `forget`
 * - `answered`: return the first answer (JSON text)
 * - `running`: the first request is still running
 * - `missing`: the first request was interrupted, or its answer was erased; it must not be carried out again
 * - `differs`: the key was used for another request
 */
export type BegunRequest =
  | { readonly kind: 'first'; readonly requestId: string }
  | { readonly kind: 'answered'; readonly answer: string }
  | { readonly kind: 'running' | 'missing' | 'differs' };

/** First answers to requests with an idempotency key, kept for 24 hours by the database's clock. Encrypted at rest. */
export class PgIdempotentRequests {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: SecretCipher,
  ) {}

  /** At most one of several concurrent calls resolves to `first`. */
  async begin({ tenantId, route, key, fingerprint, memoryId }: IdempotentRequest): Promise<BegunRequest> {
    const requestId = randomUUID();
    const [begun] = await sqlFor(this.dataSource, tenantId)`
      insert into idempotent_requests as r (request_id, tenant_id, route, key, fingerprint, memory_id, running_until)
       values (${requestId}, ${tenantId}, ${route}, ${key}, ${fingerprint}, ${memoryId},
         now() + make_interval(secs => ${RUNNING_SECONDS}))
       on conflict (tenant_id, route, key) do update
         set request_id = excluded.request_id, fingerprint = excluded.fingerprint, memory_id = excluded.memory_id,
             answer = null, erased = false, created_at = now(), running_until = excluded.running_until
         where r.created_at < now() - ${raw(KEPT)}
       returning 1`;
    if (begun !== undefined) return { kind: 'first', requestId };
    const [row] = await sqlFor<Row>(this.dataSource, tenantId)`
      select request_id, fingerprint, answer, running_until > now() as running from idempotent_requests
        where tenant_id = ${tenantId} and route = ${route} and key = ${key}`;
    // Forgotten since the first statement: the other request failed just now.
    if (row === undefined) return { kind: 'running' };
    if (row.fingerprint !== fingerprint) return { kind: 'differs' };
    if (row.answer === null) return { kind: row.running ? 'running' : 'missing' };
    return { kind: 'answered', answer: await this.cipher.open(row.answer, placeOf.firstAnswer(row.request_id)) };
  }

  /** Stores the answer (JSON text). @param memoryId memory that the answer is about; its erasures erase the answer too */
  async answer(tenantId: string, requestId: string, answer: string, memoryId: string | null): Promise<void> {
    await sqlFor(this.dataSource, tenantId)`
      update idempotent_requests
        set answer = ${await this.cipher.seal(answer, placeOf.firstAnswer(requestId))}, memory_id = coalesce(memory_id,
          ${memoryId}), running_until = now()
        where request_id = ${requestId} and tenant_id = ${tenantId} and not erased`;
  }

  /** The request had no effect: the key can be used again. */
  async forget(tenantId: string, requestId: string): Promise<void> {
    await sqlFor(this.dataSource, tenantId)`
      delete from idempotent_requests where request_id = ${requestId} and tenant_id = ${tenantId}`;
  }

  /** It is not known whether the request had an effect. */
  async interrupt(tenantId: string, requestId: string): Promise<void> {
    await sqlFor(this.dataSource, tenantId)`
      update idempotent_requests set running_until = now() where request_id = ${requestId} and tenant_id = ${tenantId}
        and answer is null`;
  }

  /** Deletes requests older than 24 hours. Resolves to the number of rows. */
  async forgetOld(limit: number): Promise<number> {
    const rows = await sqlOf(this.dataSource)`
      delete from idempotent_requests where request_id in (
         select request_id from idempotent_requests where created_at < now() - ${raw(KEPT)} limit ${limit})
           returning 1`;
    return rows.length;
  }
}

/** Erases stored answers about a memory: they may contain what is being erased. Repeats of those requests are rejected. */
export const eraseFirstAnswers = async (manager: EntityManager, tenantId: string, memoryId: string): Promise<void> => {
  await sqlOf(manager)`
    update idempotent_requests set answer = null, erased = true, running_until = now()
      where tenant_id = ${tenantId} and memory_id = ${memoryId} and not erased`;
};
