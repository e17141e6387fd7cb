import { Controller, Inject } from '@nestjs/common';
import { routes, type ReadAfter } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { doInTurn } from '../limits/share-work.js';
import { profileEntryResponse, recordResponse } from './record-response.js';
import { APP, type App } from '../composition.js';

@Controller()
export class RecordsController {
  constructor(@Inject(APP) private readonly app: App) {}

  /** Reads once the memory has read the requested part of the session. */
  private async readAfter<T>(
    tenantId: string,
    memoryId: string,
    { actorId, sessionId, afterSequence, waitMs }: ReadAfter,
    kind: string,
    read: () => Promise<T>,
  ): Promise<T> {
    // Its turn has come before it was handled.
    if (afterSequence === undefined) return read();
    if (actorId !== undefined && sessionId !== undefined) {
      await this.app.awaitExtraction.execute({ tenantId, memoryId, actorId, sessionId }, afterSequence, waitMs);
    }
    return doInTurn(this.app.fairWork, tenantId, kind, read);
  }

  @Route(routes.listRecords)
  async list(@Input() { tenantId, reach, path, query }: CallOf<typeof routes.listRecords>) {
    const { longTermMemoryStrategyId: strategyId, actorId, sessionId, afterSequence, waitMs, ...filter } = query;
    const after = { actorId, sessionId, afterSequence, waitMs };
    const records = await this.readAfter(tenantId, path.memoryId, after, routes.listRecords.id, () =>
      this.app.listRecords.execute(reach, path.memoryId, { strategyId, ...filter }),
    );
    return records.map((record) => recordResponse(record));
  }

  @Route(routes.getProfile)
  async profile(@Input() { tenantId, reach, path: { memoryId, actorId }, query }: CallOf<typeof routes.getProfile>) {
    const entries = await this.readAfter(tenantId, memoryId, { ...query, actorId }, routes.getProfile.id, () =>
      this.app.readProfile.execute(reach, memoryId, actorId),
    );
    return { actorId, attributes: entries.map(profileEntryResponse) };
  }

  @Route(routes.getRecord)
  async get(@Input() { tenantId, path }: CallOf<typeof routes.getRecord>) {
    return recordResponse(await this.app.getRecord.execute(tenantId, path.memoryId, path.recordId));
  }

  @Route(routes.correctRecord)
  async correct(@Input() { tenantId, path, body }: CallOf<typeof routes.correctRecord>) {
    return recordResponse(await this.app.correctRecord.execute(tenantId, path.memoryId, path.recordId, body.memory));
  }

  @Route(routes.deleteRecord)
  delete(@Input() { tenantId, path }: CallOf<typeof routes.deleteRecord>) {
    return this.app.deleteRecord.execute(tenantId, path.memoryId, path.recordId);
  }

  @Route(routes.searchRecords)
  async search(@Input() { tenantId, reach, path, query, body }: CallOf<typeof routes.searchRecords>) {
    const { explain, ...asked } = body;
    const hits = await this.readAfter(tenantId, path.memoryId, query, routes.searchRecords.id, () =>
      this.app.searchRecords.execute(reach, path.memoryId, query.namespace, asked),
    );
    return hits.map((hit) => recordResponse(hit, hit.score, explain ? hit.foundBy : undefined));
  }
}
