import { randomUUID } from 'node:crypto';
import type { BegunRequest, IdempotentRequest, IdempotentRequests, SecretCipher } from '@turnkeeper/application';
import type { DataSource, EntityManager } from 'typeorm';
import { rowsFor, rowsOf } from '../connections/database.js';
import { placeOf } from '../secrets/places.js';

/** How long a request counts as running if its process never reports back. */
const RUNNING_SECONDS = 60;
const KEPT = `interval '24 hours'`;

interface Row {
  request_id: string;
  fingerprint: string;
  answer: string | null;
  running: boolean;
}

export class PgIdempotentRequests implements IdempotentRequests {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: SecretCipher,
  ) {}

  async begin({ tenantId, route, key, fingerprint, memoryId }: IdempotentRequest): Promise<BegunRequest> {
    const requestId = randomUUID();
    const [begun] = await rowsFor(
      this.dataSource,
      tenantId,
      `insert into idempotent_requests as r (request_id, tenant_id, route, key, fingerprint, memory_id, running_until)
       values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
       on conflict (tenant_id, route, key) do update
         set request_id = excluded.request_id, fingerprint = excluded.fingerprint, memory_id = excluded.memory_id,
             answer = null, erased = false, created_at = now(), running_until = excluded.running_until
         where r.created_at < now() - ${KEPT}
       returning 1`,
      [requestId, tenantId, route, key, fingerprint, memoryId, RUNNING_SECONDS],
    );
    if (begun !== undefined) return { kind: 'first', requestId };
    const [row] = await rowsFor<Row>(
      this.dataSource,
      tenantId,
      `select request_id, fingerprint, answer, running_until > now() as running from idempotent_requests
        where tenant_id = $1 and route = $2 and key = $3`,
      [tenantId, route, key],
    );
    // Forgotten since the first statement: the other request failed just now.
    if (row === undefined) return { kind: 'running' };
    if (row.fingerprint !== fingerprint) return { kind: 'differs' };
    if (row.answer === null) return { kind: row.running ? 'running' : 'missing' };
    return { kind: 'answered', answer: await this.cipher.open(row.answer, placeOf.firstAnswer(row.request_id)) };
  }

  async answer(tenantId: string, requestId: string, answer: string, memoryId: string | null): Promise<void> {
    await rowsFor(
      this.dataSource,
      tenantId,
      `update idempotent_requests set answer = $3, memory_id = coalesce(memory_id, $4), running_until = now()
        where request_id = $1 and tenant_id = $2 and not erased`,
      [requestId, tenantId, await this.cipher.seal(answer, placeOf.firstAnswer(requestId)), memoryId],
    );
  }

  async forget(tenantId: string, requestId: string): Promise<void> {
    await rowsFor(
      this.dataSource,
      tenantId,
      'delete from idempotent_requests where request_id = $1 and tenant_id = $2',
      [requestId, tenantId],
    );
  }

  async interrupt(tenantId: string, requestId: string): Promise<void> {
    await rowsFor(
      this.dataSource,
      tenantId,
      'update idempotent_requests set running_until = now() where request_id = $1 and tenant_id = $2 and answer is null',
      [requestId, tenantId],
    );
  }

  async forgetOld(limit: number): Promise<number> {
    const rows = await rowsOf(
      this.dataSource,
      `delete from idempotent_requests where request_id in (
         select request_id from idempotent_requests where created_at < now() - ${KEPT} limit $1) returning 1`,
      [limit],
    );
    return rows.length;
  }
}

/** Erases stored answers about a memory: they may contain what is being erased. Repeats of those requests are rejected. */
export const eraseFirstAnswers = async (manager: EntityManager, tenantId: string, memoryId: string): Promise<void> => {
  await rowsOf(
    manager,
    `update idempotent_requests set answer = null, erased = true, running_until = now()
      where tenant_id = $1 and memory_id = $2 and not erased`,
    [tenantId, memoryId],
  );
};
