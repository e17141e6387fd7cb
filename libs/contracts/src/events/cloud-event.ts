import { ACTOR_STREAM, type LogEvent } from '@turnkeeper/domain';
import { z } from 'zod';

/** An event of the log as a CloudEvent 1.0 in structured JSON. */
export const cloudEvent = z
  .strictObject({
    specversion: z.literal('1.0'),
    id: z.uuid().describe('The event id. Unique together with `source`; a repeated event has the same id.'),
    source: z.string().describe('`/tenants/{tenantId}/memories/{memoryId}`'),
    type: z.string().describe('`turnkeeper.` and the event type; see docs/events.md.'),
    subject: z
      .string()
      .optional()
      .describe('`actors/{actorId}/sessions/{sessionId}`, percent-encoded; absent for events about the memory itself.'),
    time: z.iso
      .datetime({ offset: true })
      .describe('When it happened, according to the client; otherwise when it was committed.'),
    datacontenttype: z.literal('application/json').optional(),
    dataschema: z.string().optional().describe('`urn:turnkeeper:event:{type}:{schemaVersion}`; see docs/events.md.'),
    data: z.looseObject({}).optional().describe('Data of the event. Absent if `dataref` is present.'),
    dataref: z
      .string()
      .optional()
      .describe(
        'URL of the event in the HTTP API. Replaces `data` for binary events and for events above the message limit of NATS.',
      ),
    position: z.string().describe('Position in the log: a number, in commit order.'),
    sequence: z.string().optional().describe('Sequence in the session: a number. Absent for events without one.'),
    recordedtime: z.iso.datetime({ offset: true }).describe("When it was committed, by the database's clock."),
  })
  .meta({ id: 'CloudEvent' });
export type CloudEvent = z.infer<typeof cloudEvent>;

/** @param content false: with a reference in place of the data */
export const cloudEventOf = (event: LogEvent, content = event.type !== 'binary.appended'): CloudEvent => ({
  specversion: '1.0',
  id: event.eventId,
  source: `/tenants/${event.tenantId}/memories/${event.memoryId}`,
  type: `turnkeeper.${event.type}`,
  ...(event.actorId === null ? {} : { subject: subjectOf(event.actorId, event.sessionId) }),
  time: event.occurredAt ?? event.recordedAt,
  ...(content
    ? {
        datacontenttype: 'application/json',
        dataschema: `urn:turnkeeper:event:${event.type}:${event.schemaVersion}`,
        data: event.data as unknown as Record<string, unknown>,
      }
    : { dataref: refOf(event) }),
  position: String(event.position),
  ...(event.sequence === null ? {} : { sequence: String(event.sequence) }),
  recordedtime: event.recordedAt,
});

const encoded = (name: string): string => encodeURIComponent(name.toWellFormed());

const subjectOf = (actorId: string, sessionId: string | null): string =>
  sessionId === null || sessionId === ACTOR_STREAM
    ? `actors/${encoded(actorId)}`
    : `actors/${encoded(actorId)}/sessions/${encoded(sessionId)}`;

/** Events outside sessions have no route; their memory's log is read in pages. */
const refOf = ({ memoryId, actorId, sessionId, sequence, eventId }: LogEvent): string =>
  actorId === null || sequence === null
    ? `/memory/memories/${memoryId}`
    : `/memory/memories/${memoryId}/${subjectOf(actorId, sessionId)}/events/${eventId}`;
