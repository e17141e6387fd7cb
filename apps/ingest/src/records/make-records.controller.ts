import { Controller, Inject, Req } from '@nestjs/common';
import { type InsertOutcome } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import type { FastifyRequest } from 'fastify';
import { Input, inputOf, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

/** Sources of records: stated by a caller, or extracted. */
@Controller()
export class MakeRecordsController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.insertRecords)
  async insert(@Req() request: FastifyRequest) {
    // AgentBase's guide sends a bare list, its command line `memoryRecords`.
    if (Array.isArray(request.body)) request.body = { memoryRecords: request.body as unknown[] };
    const { tenantId, path, query, body } = inputOf(routes.insertRecords, request);
    const { namespace } = query;
    const records = body.memoryRecords.map((text) => ({ text, namespace, strategyId: null }));
    return outcomesOf(await this.app.insertRecords.execute(tenantId, path.memoryId, records));
  }

  @Route(routes.batchCreateRecords)
  async batchCreate(@Input() { tenantId, path, body }: CallOf<typeof routes.batchCreateRecords>) {
    const records = body.records.map(({ memory, namespace, longTermMemoryStrategyId }) => ({
      text: memory,
      namespace,
      strategyId: longTermMemoryStrategyId ?? null,
    }));
    return outcomesOf(await this.app.insertRecords.execute(tenantId, path.memoryId, records));
  }

  /** Makes the session due now for one strategy; records follow asynchronously. */
  @Route(routes.generateFromSession)
  async fromSession(@Input() { tenantId, reach, path, query }: CallOf<typeof routes.generateFromSession>) {
    const { longTermMemoryStrategyId, ...session } = query;
    const scope = { tenantId, memoryId: path.memoryId, ...session };
    await this.app.requestExtraction.execute(reach, scope, longTermMemoryStrategyId);
    return { status: 'accepted' as const };
  }

  @Route(routes.generateFromContent)
  async fromContent(@Input() { reach, path, query, body }: CallOf<typeof routes.generateFromContent>) {
    const { longTermMemoryStrategyId: strategyId, actorId, sessionId } = query;
    const content = { strategyId, actorId, sessionId, messages: body.chatMessages };
    await this.app.submitContent.execute(reach, path.memoryId, content);
    this.app.appended();
    return { status: 'accepted' as const };
  }
}

const outcomesOf = (outcomes: readonly InsertOutcome[]) => ({
  records: outcomes.map(({ recordId, text, namespace, created }) => ({
    id: recordId,
    memory: text,
    namespace,
    created,
  })),
});
