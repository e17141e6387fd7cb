import { randomUUID } from 'node:crypto';
import type { MessageAppended } from '@turnkeeper/domain';
import { newSession } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PgEventStore } from '../../index.js';
import { LogDatabase } from '../../testing/log-database.js';

const says = (content: string, metadata?: MessageAppended['metadata']) => ({
  eventId: randomUUID(),
  type: 'message.appended' as const,
  schemaVersion: 1,
  occurredAt: null,
  data: {
    payloadType: 'CONVERSATIONAL' as const,
    role: 'user',
    content,
    ...(metadata === undefined ? {} : { metadata }),
  },
});

describe('speakers in the turn index', () => {
  let log: LogDatabase;
  let store: PgEventStore;
  beforeAll(async () => {
    log = await LogDatabase.create();
    ({ store } = log);
  });
  afterAll(() => log?.close());

  const speakers = async () => {
    const { rows } = await log.pool.query<{ speaker: string | null; speakers: string[] }>(
      `select s.speakers[nullif(t.speaker, 0)] as speaker, s.speakers
       from turn_segments s cross join lateral turns_in(s.data) t order by t.place`,
    );
    return { turns: rows.map(({ speaker }) => speaker), session: rows[0]?.speakers };
  };

  it('are names, not ids of users', async () => {
    const scope = await newSession(store);
    const events = [
      says('I moved to Hue.', { user: 'user_7' }),
      says('So did we.', { user: 'user_7', speaker: 'Linh' }),
      says('When?', { user: 'user_7', note: 'half a pair \ud83d' }),
      says('In May.'),
    ];
    await store.append({ ...scope, events });
    while ((await store.turns.catchUp(1_000)) > 0);
    expect(await speakers()).toEqual({ turns: [null, 'linh', null, null], session: ['linh'] });
    expect(await store.turns.rebuild({ onlyCompare: true })).toMatchObject({ missing: 0, surplus: 0, changed: 0 });
  });
});
