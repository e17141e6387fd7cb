import { asHeard, type LogEvent, type MessageInterrupted } from '@turnkeeper/domain';
import type pg from 'pg';
import { COLUMNS, eventOf, type EventRow } from './event-row.js';

type Message = LogEvent<'message.appended'>;

/** Cuts messages of the log to what was heard, for what is derived from the log in the order of positions. */
export class HeardMessages {
  /** @param pool sees every tenant's rows */
  constructor(private readonly pool: pg.Pool) {}

  /** The messages among events, as the log up to a position says that they were heard. */
  async messagesUpTo(events: readonly LogEvent[], through: number): Promise<Message[]> {
    const messages = events.filter((event): event is Message => event.type === 'message.appended');
    const cutSessions = await this.sessionsWithInterruptions(messages);
    const perhapsCut = messages.filter(({ sessionKey }) => cutSessions.has(sessionKey));
    if (perhapsCut.length === 0) return messages;
    const { rows } = await this.pool.query<{ key: number; event_id: string; interruptions: MessageInterrupted[] }>({
      name: 'interruptions_through',
      text: `select session_key::float8 as key, event_id, interruptions from interruptions_of(null, $1, $2, $3)`,
      values: [perhapsCut.map(({ sessionKey }) => sessionKey), perhapsCut.map(({ eventId }) => eventId), through],
    });
    const cuts = new Map(rows.map(({ key, event_id: id, interruptions }) => [`${key} ${id}`, interruptions]));
    return messages.map((message) => asHeard(message, cuts.get(`${message.sessionKey} ${message.eventId}`) ?? []));
  }

  /** Most sessions have none: a look-up per session saves one per message. */
  private async sessionsWithInterruptions(messages: readonly Message[]): Promise<ReadonlySet<number | null>> {
    if (messages.length === 0) return new Set();
    const { rows } = await this.pool.query<{ key: number }>({
      name: 'sessions_with_interruptions',
      text: `select s.key::float8 as key from unnest($1::bigint[]) s (key)
             where exists (select from events e where e.type = 'message.interrupted' and e.session_key = s.key offset 0)`,
      values: [[...new Set(messages.map(({ sessionKey }) => sessionKey))]],
    });
    return new Set(rows.map(({ key }) => key));
  }

  /**
   * The messages that interruptions among events cut; as above.
   *
   * @param before only messages before this position; default: that of the first event
   */
  async interruptedBy(
    events: readonly LogEvent[],
    through: number,
    before = events[0]?.position ?? 0,
  ): Promise<Message[]> {
    const interruptions = events.filter((event) => event.type === 'message.interrupted');
    if (interruptions.length === 0) return [];
    const { rows } = await this.pool.query<EventRow>({
      name: 'interrupted_messages',
      text: `select distinct on (e.position) ${COLUMNS} from unnest($1::uuid[], $2::bigint[], $3::uuid[]) as a (tenant_id, session_key, event_id)
             join events e on e.tenant_id = a.tenant_id and e.event_id = a.event_id and e.session_key = a.session_key
             join sessions s on s.session_key = e.session_key
             where e.position < $4 and e.type = 'message.appended' order by e.position`,
      values: [
        interruptions.map(({ tenantId }) => tenantId),
        interruptions.map(({ sessionKey }) => sessionKey),
        interruptions.map(({ data }) => data.messageEventId),
        before,
      ],
    });
    return this.messagesUpTo(rows.map(eventOf), through);
  }
}
