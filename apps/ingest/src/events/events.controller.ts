import { setImmediate } from 'node:timers/promises';
import { Body, Controller, Headers, Inject, Param } from '@nestjs/common';
import { type AppendedEvent } from '@turnkeeper/application';
import { eventBatchBody, idempotencyKey, oneEventBody, parseOrRefuse, routes } from '@turnkeeper/contracts';
import { sha256Hex } from '@turnkeeper/platform';
import { TenantId } from '../auth/auth.guard.js';
import { cursorPageResponse } from '../http/paging.js';
import { sessionScopeOf } from '../http/path.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { eventResponse } from './event-response.js';
import { APP, type App } from '../composition.js';

interface SessionPath {
  readonly memoryId: string;
  readonly actorId: string;
  readonly sessionId: string;
}

/** This many events of a batch count as one request. */
const EVENTS_PER_REQUEST = 100;

@Controller()
export class EventsController {
  constructor(@Inject(APP) private readonly app: App) {}

  /**
   * One event in AgentBase's format, or `{events: […]}` with up to 1,000 events stored atomically. Parsed here with the
   * matching schema: faster than a union, and the error names the field.
   */
  @Route(routes.appendEvents)
  async append(
    @TenantId() tenantId: string,
    @Param() path: SessionPath,
    @Headers('idempotency-key') key: string | undefined,
    @Body() body: unknown,
  ) {
    const scope = sessionScopeOf(tenantId, path);
    const isBatch = typeof body === 'object' && body !== null && 'events' in body;
    const { events, expectedSequence } = isBatch
      ? parseOrRefuse('body', eventBatchBody, body)
      : oneOf(parseOrRefuse('body', oneEventBody, body));
    // Parsing it has just blocked the event loop, and storing it will: let other requests go first.
    if (events.length > EVENTS_PER_REQUEST) await setImmediate();
    const appended = await this.app.appendEvents.execute({
      scope,
      events,
      expectedSequence,
      idempotencyKey: key === undefined ? undefined : parseOrRefuse('Idempotency-Key', idempotencyKey, key),
      fingerprint: () => sha256Hex(JSON.stringify(body)),
    });
    this.app.appended();
    if (events.length > EVENTS_PER_REQUEST)
      this.app.rateLimiter.charge(tenantId, 'requests', events.length / EVENTS_PER_REQUEST - 1);
    return isBatch ? { events: [...appended] } : (appended[0] as AppendedEvent);
  }

  @Route(routes.listEvents)
  async list(@Input() { tenantId, path, query }: CallOf<typeof routes.listEvents>) {
    const { rows, total, next } = await this.app.listEvents.execute({ tenantId, ...path }, query);
    return cursorPageResponse(rows.map(eventResponse), query, total, next);
  }
}

const oneOf = <T extends { readonly expectedSequence?: number | undefined }>(event: T) => ({
  events: [event],
  expectedSequence: event.expectedSequence,
});
