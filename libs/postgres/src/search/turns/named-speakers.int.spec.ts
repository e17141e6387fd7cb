import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { MessageAppended } from '@turnkeeper/domain';
import { newSession } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PgEventStore } from '../../index.js';
import { LogDatabase } from '../../testing/log-database.js';

const MIGRATION = new URL('../../../migrations/0680_index_only_named_speakers.sql', import.meta.url);

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

  const speakers = async () => ({
    turns: (await log.pool.query<{ speaker: string | null }>('select speaker from turns order by place')).rows.map(
      ({ speaker }) => speaker,
    ),
    session: (await log.pool.query<{ speakers: string[] }>('select speakers from turn_sessions')).rows[0]?.speakers,
  });

  it('are names, not ids of users, also in the index of an earlier release', async () => {
    const scope = await newSession(store);
    const events = [
      says('I moved to Hue.', { user: 'user_7' }),
      says('So did we.', { user: 'user_7', speaker: 'Linh' }),
      says('When?', { user: 'user_7', note: 'half a pair \ud83d' }),
      says('In May.'),
    ];
    await store.append({ ...scope, events });
    while ((await store.turns.catchUp(1_000)) > 0);
    const expected = { turns: [null, 'linh', null, null], session: ['linh'] };
    expect(await speakers()).toEqual(expected);

    await log.pool.query(`update turns set speaker = 'user_7' where place in (1, 3)`);
    await log.pool.query(`update turn_sessions set speakers = '{linh,user_7}'`);
    expect(await store.turns.rebuild({ onlyCompare: true })).toMatchObject({ changed: 2 });
    await log.pool.query(await readFile(MIGRATION, 'utf8'));
    expect(await speakers()).toEqual(expected);
    expect(await store.turns.rebuild({ onlyCompare: true })).toMatchObject({ missing: 0, surplus: 0, changed: 0 });
  });
});
