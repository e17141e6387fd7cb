import { Controller, Inject } from '@nestjs/common';
import { ListRecords, RequestExtraction, SearchRecords } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { Input, Route } from '../http/route.js';
import { recordResponse } from './record-response.js';

const { listRecords, searchRecords, generateFromSession } = routes;

@Controller()
export class RecordsController {
  constructor(
    @Inject(SearchRecords) private readonly searchRecords: SearchRecords,
    @Inject(ListRecords) private readonly listRecords: ListRecords,
    @Inject(RequestExtraction) private readonly requestExtraction: RequestExtraction,
  ) {}

  @Route(listRecords)
  async list(
    @TenantId() tenantId: string,
    @Input(listRecords) { path, query }: InputOf<typeof listRecords>,
  ): Promise<OutputOf<typeof listRecords>> {
    const records = await this.listRecords.execute(tenantId, path.memoryId, query.namespace, query.limit);
    return records.map((record) => recordResponse(record));
  }

  @Route(searchRecords)
  async search(
    @TenantId() tenantId: string,
    @Input(searchRecords) { path, query, body }: InputOf<typeof searchRecords>,
  ): Promise<OutputOf<typeof searchRecords>> {
    const hits = await this.searchRecords.execute(tenantId, path.memoryId, query.namespace, body);
    return hits.map((hit) => recordResponse(hit, hit.score));
  }

  /** Makes the session due now for one strategy; the records follow. */
  @Route(generateFromSession)
  async generateFromSession(
    @TenantId() tenantId: string,
    @Input(generateFromSession) { path, query }: InputOf<typeof generateFromSession>,
  ): Promise<OutputOf<typeof generateFromSession>> {
    const { longTermMemoryStrategyId, ...session } = query;
    await this.requestExtraction.execute({ tenantId, memoryId: path.memoryId, ...session }, longTermMemoryStrategyId);
    return { status: 'accepted' };
  }
}
