import { sampleFuzzedAnswers } from '@turnkeeper/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExtractionRig, ScriptedModel, type RigSession } from '../testing/extraction-rig.js';

/** The parser alone reads many more in `libs/extraction`; these take the whole road to the records. */
const ANSWERS = 2_500;
const SESSIONS = 100;
const WINDOWS = ANSWERS / SESSIONS;
const AT_ONCE = 8;
const SAID = ['I have a dog 🐕 called Milo.', 'We moved to Hue.', 'I like tea.', 'My name is Ada.', 'I was 41 in May.'];
const ACTORS = ['ada', 'grace', 'a/actors/b', 'linus {actorId}'];

describe('random answers to windows of three tenants', () => {
  let rig: ExtractionRig;
  const sessions: RigSession[] = [];
  let failed = 0;

  beforeAll(async () => {
    rig = await ExtractionRig.create({ durable: false });
    const memories = [await rig.session(), await rig.session(), await rig.session()];
    for (let index = 0; index < SESSIONS; index += 1) {
      const memory = memories[index % memories.length]!;
      sessions.push(await rig.session({ memory, actorId: ACTORS[index % ACTORS.length]! }));
    }
    const eventIds = await Promise.all(
      sessions.map((session) => rig.say(session, ...Array.from({ length: WINDOWS }, (_, n) => SAID[n % SAID.length]!))),
    );
    const foreign = sessions
      .slice(0, 6)
      .flatMap(({ tenantId, memoryId, actorId }) => [tenantId, memoryId, `/${actorId}`]);
    const words = {
      said: [...SAID, 'I have a dog', ' a dog \uD83D', 'We moved'],
      foreign: [...foreign, ...eventIds.slice(0, 6).flatMap((ids) => ids.slice(0, 1))],
    };
    const answers = sampleFuzzedAnswers(words, ANSWERS, 20_261_120);

    // One message, one window, one random answer; if it is rejected, a correct model gives the second one.
    const readAll = async (from: number): Promise<void> => {
      for (let at = from; at < SESSIONS; at += AT_ONCE) {
        const session = sessions[at]!;
        const key = await rig.keyOf(session);
        const model = new ScriptedModel();
        const extract = rig.extractor(model, { windowEvents: 1, contextEvents: 1, maxAttempts: 2 });
        for (let window = 0; window < WINDOWS; window += 1) {
          model.answer = () => answers[at * WINDOWS + window]!;
          const outcome = await extract.execute(key, session.strategyId, new AbortController().signal);
          if (outcome.kind === 'extracted') continue;
          expect(outcome).toMatchObject({
            kind: 'retry',
            code: expect.stringMatching(/^model\.(unreadable|truncated)_answer$/),
          });
          failed += 1;
          await rig.rows('update extraction_states set due_at = now() where session_key = $1', [key]);
          model.answer = () => '{"facts": []}';
          expect(await extract.execute(key, session.strategyId, new AbortController().signal)).toMatchObject({
            kind: 'extracted',
          });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, from) => readAll(from)));
  }, 600_000);
  afterAll(() => rig?.close());

  const count = async (query: string): Promise<number> => {
    const [row] = await rig.rows<{ n: string }>(`select count(*) as n from ${query}`);
    return Number(row?.n);
  };

  it('come from a generator that covers both valid and invalid answers', async () => {
    expect(failed).toBeGreaterThan(ANSWERS / 20);
    expect(await count('records')).toBeGreaterThan(10);
    const refused = await rig.rows<{ reason: string }>(
      `select distinct r ->> 'reason' as reason from events e, json_array_elements(e.data -> 'refused') r
        where e.type = 'records.extracted'`,
    );
    expect(refused.map(({ reason }) => reason).sort()).toEqual(
      expect.arrayContaining(['empty', 'only_context', 'quote_not_in_event', 'too_long', 'unknown_event']),
    );
  });

  it('lose no window: the ranges tile every session', async () => {
    const ranges = await rig.rows<{ key: string; from: number; to: number }>(
      `select session_key as key, (data ->> 'fromSequence')::int as from, (data ->> 'toSequence')::int as to
         from events where type = 'records.extracted' order by session_key, position`,
    );
    expect(ranges).toHaveLength(ANSWERS);
    expect(ranges.filter(({ from, to }, index) => from !== (index % WINDOWS) + 1 || to !== from)).toEqual([]);
    expect(await count(`extraction_states where watermark <> ${WINDOWS} or status <> 'idle'`)).toBe(0);
    expect(await count(`events where type = 'extraction.answered'`)).toBe(ANSWERS + failed);
  });

  it('leave no bad record: each quotes messages of its own actor verbatim', async () => {
    expect(
      await count(`records r where not exists (select from record_sources s where s.record_id = r.record_id)`),
    ).toBe(0);
    expect(
      await count(`record_sources s join records r using (record_id) left join events e on e.event_id = s.event_id
        left join sessions own on own.session_key = e.session_key
        where e.event_id is null or position(s.quote in e.data ->> 'content') = 0 or s.quote = ''
           or e.tenant_id <> r.tenant_id or e.memory_id <> r.memory_id or own.actor_id <> r.actor_id
           or e.sequence <> s.sequence`),
    ).toBe(0);
    expect(await count(`records where length(text) > 16000 or fact_key = ''`)).toBe(0);
  });

  it("leave no record in other actors' namespaces", async () => {
    const strangers = `records r left join sessions s on s.session_key = r.session_key
      where s.session_key is null or s.tenant_id <> r.tenant_id or s.memory_id <> r.memory_id or s.actor_id <> r.actor_id
         or r.namespace <> '/' || replace(replace(s.actor_id, '%', '%25'), '/', '%2F')`;
    expect(await count(strangers)).toBe(0);
  });
});
