import { Body, Controller, Get, Headers, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { AppendEvents, ListEvents } from '@turnkeeper/application';
import {
  eventBatchBody,
  idempotencyKey,
  listEventsParameters,
  oneEventBody,
  parseOrRefuse,
} from '@turnkeeper/contracts';
import { sha256Hex } from '@turnkeeper/platform';
import { RequireScope, TenantId } from '../auth/auth.guard.js';
import { pageResponse } from '../http/paging.js';
import { sessionScopeOf } from '../http/path.js';
import { APPENDED } from '../tokens.js';
import { eventResponse } from './event-response.js';

interface SessionPath {
  readonly memoryId: string;
  readonly actorId: string;
  readonly sessionId: string;
}

@Controller('memory/memories/:memoryId/actors/:actorId/sessions/:sessionId/events')
export class EventsController {
  constructor(
    @Inject(AppendEvents) private readonly appendEvents: AppendEvents,
    @Inject(ListEvents) private readonly listEvents: ListEvents,
    /** Called after every append, so that the relay need not wait for its next look at the log. */
    @Inject(APPENDED) private readonly appended: () => void,
  ) {}

  /** One event in AgentBase's shape, or `{events: […]}` with up to 1,000 that are stored together or not at all. */
  @Post()
  @HttpCode(200)
  @RequireScope('memory:write')
  async append(
    @TenantId() tenantId: string,
    @Param() path: SessionPath,
    @Headers('idempotency-key') key: string | undefined,
    @Body() body: unknown,
  ) {
    const scope = sessionScopeOf(tenantId, path);
    const isBatch = typeof body === 'object' && body !== null && 'events' in body;
    const { events, expectedSequence } = isBatch
      ? parseOrRefuse('event batch', eventBatchBody, body)
      : oneOf(parseOrRefuse('event', oneEventBody, body));
    const appended = await this.appendEvents.execute({
      scope,
      events,
      expectedSequence,
      idempotencyKey: key === undefined ? undefined : parseOrRefuse('Idempotency-Key', idempotencyKey, key),
      fingerprint: () => sha256Hex(JSON.stringify(body)),
    });
    this.appended();
    return isBatch ? { events: appended } : appended[0];
  }

  @Get()
  @RequireScope('memory:read')
  async list(@TenantId() tenantId: string, @Param() path: SessionPath, @Query() query: unknown) {
    const parameters = parseOrRefuse('query', listEventsParameters, query);
    const { rows, total } = await this.listEvents.execute(sessionScopeOf(tenantId, path), parameters);
    const last = rows.at(-1);
    return {
      ...pageResponse(rows.map(eventResponse), parameters, total),
      // Where to go on from with `after=`; null when this page was the last.
      next: rows.length < parameters.size ? null : (last?.sequence ?? null),
    };
  }
}

const oneOf = <T extends { readonly expectedSequence?: number | undefined }>({ expectedSequence, ...event }: T) => ({
  events: [event],
  expectedSequence,
});
