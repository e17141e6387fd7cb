import { randomUUID } from 'node:crypto';
import type { SessionScope, TurnHit, TurnScope } from '@turnkeeper/application';
import type { EventDataByType, EventType, MessageAppended, NewEvent } from '@turnkeeper/domain';
import { createTestDatabase, creation, newSession, type TestDatabase } from '@turnkeeper/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TenantPool } from '../../connections/tenant-pool.js';
import { createEventStore, migrateDatabase, type PgEventStore } from '../../index.js';
import { PgTurnIndex } from './pg-turn-index.js';
import type { TurnIndexer } from './turn-indexer.js';
import { WordHash } from './word-hash.js';

const fact = <T extends EventType>(type: T, data: EventDataByType[T], occurredAt: string | null = null) =>
  ({ eventId: randomUUID(), type, schemaVersion: 1, occurredAt, data }) as unknown as NewEvent;
const says = (role: string, content: string, more: Partial<MessageAppended> = {}, at: string | null = null) =>
  fact('message.appended', { payloadType: 'CONVERSATIONAL', role, content, ...more }, at);

/** For indexes that are up to date. */
const NO_INDEXER = { catchUp: () => Promise.resolve(0) } as unknown as TurnIndexer;

const DISHWASHER = 'Later. First I need to fix the dishwasher in the kitchen.';

describe('turn index', () => {
  let database: TestDatabase;
  let store: PgEventStore;
  let sql: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase(migrateDatabase);
    store = createEventStore({
      databaseUrl: database.url,
      roles: { app: 'turnkeeper_app', system: 'turnkeeper_system' },
    });
    sql = new pg.Client(database.url);
    await sql.connect();
  });
  afterAll(async () => {
    await sql.end();
    await store.close();
    await database.drop();
  });

  const append = (scope: SessionScope, ...events: NewEvent[]) => store.append({ ...scope, events });
  const ASKED = { limit: 10, scoreThreshold: 0, window: 0 };
  const search = (scope: TurnScope, text: string, more: Partial<typeof ASKED> = {}): Promise<TurnHit[]> =>
    store.turns.search(scope, { ...ASKED, ...more, text });
  const found = async (...asked: Parameters<typeof search>) =>
    (await search(...asked)).map(({ event }) => event.data.content);
  const best = async (...asked: Parameters<typeof search>) => (await found(...asked))[0];
  const upToDate = async () => {
    for (let left = 1; left > 0;) left = await store.turns.catchUp(5_000);
  };
  const hash = async () => (await sql.query<{ rows: string; hash: string }>(HASH)).rows[0]!;
  const wordsLeft = async () =>
    (
      await sql.query(`select from turn_segments s
        where s.terms <> array(select distinct w.term from terms_in(s.data) w where s.is_sealed order by w.term) or exists (
          select from turns_in(s.data) t where not exists (
            select from events e where e.session_key = s.session_key and e.sequence = t.sequence))`)
    ).rowCount;

  const dialogue = () => [
    says('user', 'I finally adopted a puppy last week!'),
    says('assistant', 'Congratulations. What is the name?'),
    says('user', 'Biscuit. A small beagle.'),
    says('assistant', 'Lovely. Shall I look for a vet nearby?'),
    says('user', DISHWASHER),
  ];

  /** Runs each test against indexed events and against events that are only in the log. */
  describe.each([
    ['taken in', upToDate],
    ['not taken in yet', async () => undefined],
  ])('%s', (_, settle) => {
    it('finds a turn by its words, their stems and the words of its neighbours', async () => {
      const scope = await newSession(store);
      await append(scope, ...dialogue());
      await settle();
      for (const dishwasher of ['dishwashers', 'dishwaser'])
        expect(await best(scope, `Which ${dishwasher} need fixing?`)).toBe(DISHWASHER);
      expect(await found(scope, 'What is the name of the adopted puppy?')).toContain('Biscuit. A small beagle.');
      expect(await found(scope, 'helicopter licence')).toEqual([]);
    });

    it('finds a turn by another form of an English word', async () => {
      const scope = await newSession(store);
      await append(scope, says('user', 'I bought a kite.'), says('assistant', 'What did your mum say?'));
      await settle();
      expect(await best(scope, 'buying')).toBe('I bought a kite.');
      expect(await best(scope, 'mother')).toBe('What did your mum say?');
    });

    it('searches the session, the actor’s sessions or the memory, never a wider scope', async () => {
      const scope = await newSession(store);
      const { tenantId, memoryId, actorId } = scope;
      const foreign = creation(tenantId);
      await store.append(foreign);
      const here = (place: string) => says('user', `The telescope is in ${place}`);
      await append(scope, here('this session'));
      await append({ ...scope, sessionId: 'tuesday' }, here('another session'));
      await append({ ...scope, actorId: 'bob' }, here('another actor'));
      await append({ ...scope, memoryId: foreign.memoryId }, here('another memory'));
      await settle();
      const places = async (of: TurnScope) =>
        (await found(of, 'telescope')).map((text) => text.replace('The telescope is in ', '')).sort();
      expect(await places(scope)).toEqual(['this session']);
      expect(await places({ tenantId, memoryId, actorId })).toEqual(['another session', 'this session']);
      expect(await places({ tenantId, memoryId })).toEqual(['another actor', 'another session', 'this session']);
      expect(await places({ ...scope, sessionId: 'never' })).toEqual([]);
      expect(await places({ tenantId: randomUUID(), memoryId })).toEqual([]);
    });

    it('ranks turns of the named speaker and of a named day higher', async () => {
      const scope = await newSession(store);
      const on = (day: string, speaker: string, content: string) =>
        says(speaker === 'Ada' ? 'user' : 'assistant', content, { metadata: { speaker } }, `2025-${day}T10:00:00Z`);
      await append(scope, on('03-01', 'Ada', 'I baked bread.'), on('03-01', 'Ben', 'I baked bread too.'));
      await append({ ...scope, sessionId: 'june' }, on('06-20', 'Ada', 'I baked bread, again.'));
      await settle();
      const { tenantId, memoryId, actorId } = scope;
      const actor = { tenantId, memoryId, actorId };
      expect(await best(actor, 'What did Ben bake?')).toBe('I baked bread too.');
      expect(await best(actor, 'What did Ada bake in June?')).toBe('I baked bread, again.');
      expect(await best(actor, 'What was baked on 1 March 2025 by Ada?')).toBe('I baked bread.');
    });

    it('returns neighbouring turns, skipping events that are not turns', async () => {
      const scope = await newSession(store);
      const binary = () => fact('binary.appended', { payloadType: 'BLOB', binaryData: 'AAAA' });
      await append(scope, says('user', 'one'), binary(), says('user', 'xylophone'), binary(), says('user', 'three'));
      await settle();
      const [hit] = await search(scope, 'xylophone', { window: 1 });
      expect(hit?.neighbours.map(({ data }) => data.content)).toEqual(['one', 'three']);
      expect(hit?.score).toBeGreaterThan(0);
    });

    it('excludes platform-inserted messages and tool and system output', async () => {
      const scope = await newSession(store);
      await append(
        scope,
        says('system', 'zeppelin'),
        says('tool', 'zeppelin', { toolCallId: 'c' }),
        says('assistant', 'zeppelin', { metadata: { source: 'greeting' } }),
        says('user', 'a zeppelin', { metadata: { imageCaption: 'a hangar at dawn' } }),
      );
      await settle();
      expect(await found(scope, 'zeppelin')).toEqual(['a zeppelin']);
      expect(await found(scope, 'hangar')).toEqual(['a zeppelin']);
    });

    it('does not find expired, erased or deleted turns, and keeps none of their words', async () => {
      const scope = await newSession(store);
      await append(scope, says('user', 'my secret walnut'), says('user', 'a plain walnut'), says('user', 'old walnut'));
      await settle();
      await sql.query('delete from events where memory_id = $1 and sequence = 1', [scope.memoryId]);
      await sql.query(`begin; select set_config('turnkeeper.change', 'expiry', true);
        update events set expires_at = now() - interval '1 second' where memory_id = '${scope.memoryId}' and sequence = 3;
        commit`);
      expect(await found(scope, 'walnut')).toEqual(['a plain walnut']);
      expect(await wordsLeft()).toBe(0);
    });

    it('accepts any text as a query', async () => {
      const scope = await newSession(store);
      await append(scope, says('user', 'The cat sat.'), says('user', 'half \ud83d of a pair, cat'));
      await settle();
      const hostile = [
        "cat' or 1=1; drop table turns; --",
        'cat & !dog | (mouse <-> %_*) :*',
        '🐈 cat \u202e tac \ud83d',
        'the of and to',
        '???',
        `cat ${'lorem ipsum '.repeat(830)}`,
        'x'.repeat(10_000),
      ];
      for (const text of hostile) expect(Array.isArray(await search(scope, text))).toBe(true);
      expect(await best(scope, hostile[0]!)).toContain('cat');
    });
  });

  it('reads an opened scope and ranks a text once, for its turns and for all records that cite them', async () => {
    const scope = await newSession(store);
    await append(scope, ...dialogue());
    await upToDate();
    const statements: unknown[] = [];
    const pool = {
      query: (_tenant: string, statement: string | pg.QueryConfig, values?: unknown[]) => {
        statements.push(typeof statement === 'string' ? statement : statement.name);
        return sql.query(statement, values);
      },
    } as unknown as TenantPool;
    const opened = await new PgTurnIndex(pool, NO_INDEXER).open(scope);
    const text = 'Which dishwashers need fixing?';
    const [hits, few, many] = await Promise.all([
      opened.search({ ...ASKED, text }),
      opened.rank(text, 1),
      opened.rank(text, 10),
    ]);
    expect(hits[0]?.event.data.content).toBe(DISHWASHER);
    expect(few.turns).toEqual(many.turns.slice(0, 1));
    expect(statements).toEqual(['turn_scope_of_actor', 'turn_segments_of_session', 'read_turns']);
  });

  it('indexes each turn once under concurrent updates', async () => {
    await upToDate();
    const before = Number((await hash()).rows);
    const scope = await newSession(store);
    await append(
      scope,
      ...Array.from({ length: 500 }, (_, n) => says(n % 2 === 0 ? 'user' : 'assistant', `word ${n}`)),
    );
    await Promise.all(Array.from({ length: 8 }, () => store.turns.catchUp(137)));
    await upToDate();
    expect(Number((await hash()).rows) - before).toBe(500);
    const { rows } = await sql.query('select turns, is_sealed from turn_segments where memory_id = $1 order by 1', [
      scope.memoryId,
    ]);
    expect(rows).toEqual([{ turns: 52, is_sealed: false }, ...Array(7).fill({ turns: 64, is_sealed: true })]);
  });

  it('rebuilds from the log to the same hash, even after turns were deleted', async () => {
    const scope = await newSession(store);
    await append(scope, ...dialogue(), says('user', 'Tôi sống ở Hà Nội với gia đình'), says('user', '我在北京工作'));
    await upToDate();
    await sql.query('delete from events where memory_id = $1 and sequence = 2', [scope.memoryId]);
    const before = await hash();
    await sql.query('select drop_turns()');
    expect(await best(scope, 'dishwasher')).toBe(DISHWASHER);
    await upToDate();
    expect(await hash()).toEqual(before);
    await sql.query(`update turn_segments set data = set_byte(data, 15, 255 - get_byte(data, 15))
                     where session_key = (select max(session_key) from turn_segments)`);
    expect(await hash()).not.toEqual(before);
  });

  /** The first turn of a segment. */
  const FIRST = `substring(data for (select t.size from turns_in(data) t where t.at = 0))`;
  const at = (sequence: number) => `(select t.at from turns_in(data) t where t.sequence = ${sequence})`;
  const segmentBecomes = (data: string) => `update turn_segments set data = ${data} where session_key = $1`;

  describe('compared with the log', () => {
    const compare = () => store.turns.rebuild({ onlyCompare: true });
    const NONE = { missing: 0, surplus: 0, changed: 0 };
    let scope: SessionScope;

    beforeAll(async () => {
      scope = await newSession(store);
      await append(scope, ...dialogue(), says('system', 'not searched'));
    });
    beforeEach(async () => {
      await sql.query('select drop_turns()');
      await upToDate();
      expect(await compare()).toMatchObject(NONE);
    });

    it.each<[what: string, found: 'missing' | 'surplus' | 'changed', harm: string]>([
      [
        'missing',
        'missing',
        segmentBecomes(`(select string_agg(substring(data from t.at + 1 for t.size), ''::bytea order by t.at)
          from turns_in(data) t where t.sequence <> 3)`),
      ],
      ['surplus', 'surplus', segmentBecomes(`data || set_byte(set_byte(${FIRST}, 11, 6), 7, 99)`)],
      ['left without its event', 'changed', segmentBecomes(`data || set_byte(set_byte(${FIRST}, 11, 99), 7, 99)`)],
      ['changed', 'changed', segmentBecomes(`set_byte(data, ${at(2)} + 18, get_byte(data, ${at(2)} + 18) # 1)`)],
      ['in another language', 'changed', segmentBecomes(`set_byte(data, ${at(5)} + 19, 7)`)],
      ['out of order', 'changed', segmentBecomes(`set_byte(data, ${at(4)} + 7, 99)`)],
      [
        'without one of its words',
        'changed',
        segmentBecomes(`set_byte(substring(data for 21), 1, get_byte(data, 1) - 1) || substring(data from 26)`),
      ],
      [
        'with a word counted twice',
        'changed',
        segmentBecomes(`set_byte(${FIRST}, 3, 1) || '\\x00000002' || substring(data from length(${FIRST}) + 1)`),
      ],
      [
        'left with words of no turn',
        'changed',
        `update turn_segments set terms = terms || 2147483647 where session_key = $1`,
      ],
      ['known by a wrong segment', 'changed', `update turn_segments set words = words + 1 where session_key = $1`],
    ])('reports a turn that is %s and repairs it', async (_, found, harm) => {
      const before = await hash();
      const { rows } = await sql.query('select session_key from sessions where session_id = $1 and memory_id = $2', [
        scope.sessionId,
        scope.memoryId,
      ]);
      await sql.query(harm, [rows[0].session_key]);
      const drift = await compare();
      expect(drift[found]).toBeGreaterThan(0);
      expect(await compare()).toEqual(drift); // comparing changes nothing
      expect(await store.turns.rebuild({ onlyCompare: false })).toEqual(drift);
      expect(await compare()).toMatchObject(NONE);
      expect(await hash()).toEqual(before);
    });

    it('keeps the stored language of an ambiguous text, which came from turns that may be gone', async () => {
      await append(scope, says('user', 'Tôi sống ở Hà Nội với gia đình'), says('user', 'ok'));
      await upToDate();
      expect(await compare()).toMatchObject(NONE);
      await sql.query(`delete from events where memory_id = $1 and data ->> 'content' like 'Tôi%'`, [scope.memoryId]);
      expect(await compare()).toMatchObject(NONE);
    });

    it('excludes turns that are no longer readable', async () => {
      const { rows } = await compare();
      const expired = await newSession(store);
      await append(expired, says('user', 'my secret walnut'), says('user', 'a plain walnut'));
      await upToDate();
      await sql.query(`begin; select set_config('turnkeeper.change', 'expiry', true);
        update events set expires_at = now() - interval '1 second' where memory_id = '${expired.memoryId}' and sequence = 1;
        commit`);
      expect(await compare()).toEqual({ ...NONE, rows: rows + 1 });
      expect(await found(expired, 'secret walnut', { limit: 1 })).toEqual(['a plain walnut']);
    });
  });

  it('does not index a turn that is being deleted', async () => {
    await upToDate();
    const scope = await newSession(store);
    await append(scope, says('user', 'first heliotrope'), says('user', 'second heliotrope'));
    await sql.query('begin');
    await sql.query('delete from events where memory_id = $1 and sequence = 1', [scope.memoryId]);
    expect(await store.turns.catchUp(5_000)).toBeGreaterThan(0);
    await sql.query('commit');
    await upToDate();
    expect(await found(scope, 'heliotrope')).toEqual(['second heliotrope']);
    expect(await wordsLeft()).toBe(0);
  });

  it('forgets a speaker with the last turn that names them', async () => {
    const scope = await newSession(store);
    await append(scope, says('user', 'hello', { metadata: { speaker: 'Rosalind' } }), says('user', 'bye'));
    await upToDate();
    const speakers = async () =>
      (
        await sql.query(`select array_remove(speakers, '') as speakers from turn_segments where memory_id = $1`, [
          scope.memoryId,
        ])
      ).rows[0]?.speakers;
    expect(await speakers()).toEqual(['rosalind']);
    await sql.query('delete from events where memory_id = $1 and sequence = 1', [scope.memoryId]);
    expect(await speakers()).toEqual([]);
    await sql.query('delete from events where memory_id = $1', [scope.memoryId]);
    expect(await speakers()).toBeUndefined();
  });

  it('shows a tenant no words of other tenants, whatever memory it names', async () => {
    const scope = await newSession(store);
    await append(scope, says('user', 'the marzipan recipe'));
    await upToDate();
    const stranger = randomUUID();
    const ask = async (tenant: string, forTenant: string) => {
      await sql.query('begin');
      await sql.query(`set local role turnkeeper_app`);
      await sql.query(`select set_config('turnkeeper.tenant', $1, true)`, [tenant]);
      const { rowCount } = await sql.query(
        `select from find_turn_segments($1, $2, null, null, $3, 10, 5, '{}', '{}')`,
        [forTenant, scope.memoryId, [WordHash.ofMemory(scope.tenantId, scope.memoryId).of('marzipan')]],
      );
      const readable = await sql.query('select from turn_segments');
      await sql.query('rollback');
      return [rowCount, readable.rowCount];
    };
    // How frequent the word is, and the segment.
    expect(await ask(scope.tenantId, scope.tenantId)).toEqual([2, 1]);
    expect(await ask(stranger, scope.tenantId)).toEqual([0, 0]);
    expect(await ask(stranger, stranger)).toEqual([0, 0]);
  });

  it('finds the same turns in two stages as in one, beyond the words themselves', async () => {
    const scope = await newSession(store);
    const noise = (n: number) => says('user', `We talked about topic ${n % 70} and subject ${n % 31} today.`);
    for (const session of ['s1', 's2', 's3']) {
      await append({ ...scope, sessionId: session }, ...Array.from({ length: 100 }, (_, n) => noise(n)));
    }
    const brass = says('assistant', 'A sextant made of brass.');
    await append({ ...scope, sessionId: 'the one' }, says('user', 'What did the astronomer give you?'), brass);
    await upToDate();
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    const inTwo = new PgTurnIndex(new TenantPool(pool, undefined), NO_INDEXER, {
      rankedWhole: 0,
      twoStages: 0,
    });
    const { tenantId, memoryId, actorId } = scope;
    const texts = (hits: TurnHit[]) => hits.map(({ event, score }) => [event.data.content, score.toFixed(6)]);
    for (const text of [
      'What did the astronomer give?',
      'Which subject did the astronomer give?',
      'Which subjects were given, and which did we speak of with the astronomer?',
    ]) {
      const one = await search({ tenantId, memoryId, actorId }, text, { limit: 2 });
      const two = await inTwo.search({ tenantId, memoryId, actorId }, { ...ASKED, limit: 2, text });
      expect(texts(two)).toEqual(texts(one));
      expect(texts(two).map(([content]) => content)).toContain('A sextant made of brass.');
    }
    await pool.end();
  });
});

/** Of the turns and their words, however they are divided into segments. */
const HASH = `
  select count(*) as rows, md5(coalesce(string_agg(t.line, E'\\n' order by t.session_key, t.sequence), '')) as hash
  from (
    select s.session_key, t.sequence,
           concat_ws('|', s.session_key::text, t.sequence, t.day, t.traits, s.speakers[nullif(t.speaker, 0)], t.language,
                     t.words, s.actor_key, (
                       select string_agg(concat(w.term, ':', w.count), ',' order by w.term) from terms_in(s.data) w
                       where w.sequence = t.sequence)) as line
    from turn_segments s cross join lateral turns_in(s.data) t
    join events e on e.session_key = s.session_key and e.sequence = t.sequence
    -- Expired turns are purged soon, and a new index does not contain them.
    where e.expires_at is null or e.expires_at > now()
  ) t`;
