import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ListRecords, RequestExtraction, SearchRecords, type RecordView } from '@turnkeeper/application';
import {
  generateFromSessionQuery,
  listRecordsQuery,
  namespaceQuery,
  parseOrRefuse,
  searchRecordsBody,
} from '@turnkeeper/contracts';
import { RequireScope, TenantId } from '../auth/auth.guard.js';
import { memoryIdOf } from '../http/path.js';

/** A record in AgentBase's field names (snake_case there), with where it came from. */
const recordResponse = (record: RecordView, score: number | null) => ({
  id: record.recordId,
  memory: record.text,
  score,
  namespace: record.namespace,
  strategyId: record.strategyId,
  strategyVersion: record.strategyVersion,
  extractor: record.extractor,
  model: record.model,
  sources: record.sources,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

@Controller('memory/memories/:memoryId')
export class RecordsController {
  constructor(
    @Inject(SearchRecords) private readonly searchRecords: SearchRecords,
    @Inject(ListRecords) private readonly listRecords: ListRecords,
    @Inject(RequestExtraction) private readonly requestExtraction: RequestExtraction,
  ) {}

  @Get('memory-records')
  @RequireScope('memory:read')
  async list(@TenantId() tenantId: string, @Param('memoryId') memoryId: string, @Query() query: unknown) {
    const { namespace, limit } = parseOrRefuse('query', listRecordsQuery, query);
    const records = await this.listRecords.execute(tenantId, memoryIdOf(memoryId), namespace, limit);
    return records.map((record) => recordResponse(record, null));
  }

  @Post('memory-records::search')
  @HttpCode(200)
  @RequireScope('memory:read')
  async search(
    @TenantId() tenantId: string,
    @Param('memoryId') memoryId: string,
    @Query() query: unknown,
    @Body() body: unknown,
  ) {
    const { namespace } = parseOrRefuse('query', namespaceQuery, query);
    const hits = await this.searchRecords.execute(
      tenantId,
      memoryIdOf(memoryId),
      namespace,
      parseOrRefuse('search', searchRecordsBody, body),
    );
    return hits.map((hit) => recordResponse(hit, hit.score));
  }

  /** Makes the session due now for one strategy; the records follow. */
  @Post('memory-records::generate-from-session')
  @HttpCode(200)
  @RequireScope('memory:write')
  async generateFromSession(
    @TenantId() tenantId: string,
    @Param('memoryId') memoryId: string,
    @Query() query: unknown,
  ) {
    const { longTermMemoryStrategyId, ...session } = parseOrRefuse('query', generateFromSessionQuery, query);
    await this.requestExtraction.execute(
      { tenantId, memoryId: memoryIdOf(memoryId), ...session },
      longTermMemoryStrategyId,
    );
    return { status: 'accepted' };
  }
}
