import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { randomFrom } from '../shared/random.mjs';
import { compare, during } from './compare.mjs';
import { expectedInHistory, expectedOf, Ledger } from './ledger.mjs';
import { Oracle } from './oracle.mjs';
import { recordFaults } from './readers.mjs';
import { waitsOf } from './report.mjs';
import { drawFaults } from './schedule.mjs';

const folders = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** A ledger of one conversation: three acknowledged messages, one erased, one refused, one without an answer. */
const writeLedger = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  folders.push(folder);
  const ledger = new Ledger(join(folder, 'ledger.jsonl'));
  const place = { name: 'w0-1', memoryId: 'm', actorId: 'ada', sessionId: 'call', agentId: 'agent' };
  const write = (entry) => ledger.write({ name: 'w0-1', ...entry });
  await write({ op: 'open', conversation: place });
  for (const [key, sequence] of Object.entries({ one: 1, two: 2, erased: 3, three: 4 })) {
    await write({ op: 'append', key, state: 'attempted', contents: [key] });
    await write({ op: 'append', key, state: 'acknowledged', events: [{ eventId: `id of ${key}`, sequence }] });
  }
  await write({ op: 'append', key: 'refused', state: 'attempted', contents: ['refused'] });
  await write({ op: 'append', key: 'refused', state: 'refused', events: [] });
  await write({ op: 'append', key: 'unknown', state: 'attempted', contents: ['unknown'] });
  await write({ op: 'erase', what: 'event', eventId: 'id of erased', state: 'acknowledged' });
  return { ledger, write, conversation: () => /** @type {any} */ (ledger.readBack().conversations.get('w0-1')) };
};
const read = (...contents) =>
  contents.map((content) => ({
    content,
    eventId: `id of ${content}`,
    sequence: { one: 1, two: 2, three: 4 }[content],
  }));

describe('the comparison of what a reader returned with the ledger', () => {
  it.each([
    ['everything', read('one', 'two', 'three'), []],
    ['a write without an answer, or not', [...read('one', 'two'), { content: 'unknown' }, ...read('three')], []],
    ['a loss', read('one', 'three'), ['lost: two']],
    ['a double', read('one', 'two', 'two', 'three'), ['twice: two']],
    ['another order', read('two', 'one', 'three'), ['out of order: one']],
    ['another sequence', [...read('one', 'two'), { content: 'three', sequence: 5 }], ['other sequence: three']],
    ['another id', [...read('one', 'two'), { content: 'three', eventId: 'x' }], ['other id: three']],
    ['a leak', [...read('one', 'two'), { content: 'erased' }, ...read('three')], ['leaked: erased']],
    ['a refusal that was stored', [...read('one', 'two', 'three'), { content: 'refused' }], ['leaked: refused']],
    ['what no one wrote', [...read('one', 'two', 'three'), { content: 'x' }], ['never written: x']],
  ])('finds %s', async (_, found, faults) => {
    const { conversation } = await writeLedger();
    expect(compare(expectedOf(conversation()), found)).toEqual(faults);
  });

  it('finds a late read: acknowledged before it began, and not in its answer', async () => {
    const { ledger, write } = await writeLedger();
    const now = () => expectedOf(/** @type {any} */ (ledger.world.conversations.get('w0-1')));
    const before = now();
    await write({ op: 'append', key: 'four', state: 'attempted', contents: ['four'] });
    await write({ op: 'append', key: 'four', state: 'acknowledged', events: [{ eventId: 'id of four', sequence: 5 }] });
    // Acknowledged during the read: it may be in it or not.
    expect(compare(during(before, now()), read('one', 'two', 'three'))).toEqual([]);
    expect(compare(during(now(), now()), read('one', 'two', 'three'))).toEqual(['lost: four']);
  });

  it('wants the newest of a window, and of a search what it asked for', async () => {
    const { conversation } = await writeLedger();
    const expected = expectedOf(conversation());
    expect(compare(expected, read('two', 'three'), { newest: 2 })).toEqual([]);
    expect(compare(expected, read('one', 'three'), { newest: 2 })).toEqual(['lost: two']);
    expect(compare(expected, read('three', 'one'), { only: new Set(['one']), sorted: false })).toEqual([]);
    expect(compare(expected, read('three'), { only: new Set(['one']), sorted: false })).toEqual(['lost: one']);
  });

  it('allows in a history webhook what was erased after the stop, and nothing erased before', async () => {
    const { write, conversation } = await writeLedger();
    await write({ op: 'stop', state: 'acknowledged' });
    await write({ op: 'erase', what: 'event', eventId: 'id of three', state: 'acknowledged' });
    const expected = expectedInHistory(conversation());
    expect(compare(expected, read('one', 'two', 'three'))).toEqual([]);
    expect(compare(expected, [...read('one', 'two'), { content: 'erased' }])).toEqual(['leaked: erased']);
  });
});

describe('the bodies of a history webhook', () => {
  const bodyOf = (...contents) => ({ id: 'message', digest: contents.join(), contents });
  const faultsOf = async (...bodies) => {
    const { ledger, write, conversation } = await writeLedger();
    await write({ op: 'stop', state: 'acknowledged' });
    const oracle = new Oracle({ urls: [], apiKey: '', ledger, seed: 1, share: 1 });
    oracle.readBodies(conversation(), { bodiesOf: () => bodies });
    return oracle.found.webhook?.faults;
  };
  const whole = bodyOf('one', 'two', 'three');
  it.each([
    ['once', [whole], []],
    ['in a second attempt', [whole, whole], []],
    ['none', [], ['w0-1: nothing came']],
    ['under two ids', [whole, { ...whole, id: 'other' }], ['w0-1: several messages']],
    ['with other bytes', [whole, { ...whole, digest: 'x' }], ['w0-1: other bytes in another attempt']],
    ['with a loss', [bodyOf('one', 'three')], ['w0-1: lost: two']],
  ])('come %s', async (_, bodies, faults) => expect(await faultsOf(...bodies)).toEqual(faults));
});

describe('records', () => {
  const note = { id: 'n', memory: 'noted', sources: [] };
  const faultsOf = async (records, { write, conversation }) => {
    await write({ op: 'append', key: 'fact', state: 'attempted', contents: ["I'm allergic to peanuts."] });
    await write({ op: 'append', key: 'fact', state: 'acknowledged', events: [{ eventId: 'id of fact', sequence: 5 }] });
    for (const text of ['first', 'noted']) await write({ op: 'note', key: 'k', id: 'n', text, state: 'acknowledged' });
    const api = { get: async () => records, post: async () => records, remove: async () => null };
    return recordFaults(api, conversation());
  };
  const fact = { id: 'f', memory: 'allergic', sources: [{ eventId: 'id of fact' }] };
  it.each([
    ['right', [fact, note], []],
    ['missing', [note], ['w0-1: 0 records cite the message with the fact', 'w0-1: the fact is not found']],
    ['doubled', [fact, fact, note], ['w0-1: 2 records cite the message with the fact']],
    [
      'of a message that is gone',
      [fact, note, { ...fact, memory: 'x', sources: [{ eventId: 'id of erased' }] }],
      ['w0-1: cites a message that is gone: x'],
    ],
    [
      'of a message whose append had no answer',
      [fact, note, { ...fact, memory: 'User said: "unknown"', sources: [{ eventId: 'id of unknown' }] }],
      [],
    ],
    [
      'of such a message and one that is gone',
      [fact, note, { ...fact, memory: 'unknown', sources: [{ eventId: 'id of x' }, { eventId: 'id of erased' }] }],
      ['w0-1: cites a message that is gone: unknown'],
    ],
    ['not corrected', [fact, note, { ...note, memory: 'first' }], ['w0-1: corrected record: first']],
    ['lost', [fact], ['w0-1: record not listed once: noted', 'w0-1: record not found: noted']],
  ])('are %s', async (_, records, faults) => expect(await faultsOf(records, await writeLedger())).toEqual(faults));

  it('erased with their actor are gone', async () => {
    const ledger = await writeLedger();
    await ledger.write({ op: 'note', key: 'k', id: 'n', text: 'noted', state: 'acknowledged' });
    await ledger.write({ op: 'erase', what: 'actor', state: 'acknowledged' });
    const api = { get: async () => [note], post: async () => [note], remove: async () => null };
    expect(await recordFaults(api, ledger.conversation())).toEqual(['w0-1: erased record: noted']);
  });
});

it('a read after an acknowledgement at an ingest that is behind is a fault', async () => {
  const { ledger } = await writeLedger();
  const oracle = new Oracle({ urls: [], apiKey: '', ledger, seed: 1, share: 1 });
  const events = read('one', 'two').map(({ content, eventId, sequence }) => ({
    id: eventId,
    sequence,
    payload: { message: content },
  }));
  const get = async () => ({ listData: events, next: null });
  await oracle.read('session', { get }, ledger.world.conversations.get('w0-1'), ['three']);
  expect(oracle.found.session?.faults).toEqual([expect.stringMatching(/^w0-1, \d+: lost: three$/)]);
});

describe('waits', () => {
  const lock = { name: 'hold one row', target: 'agents', from: 1_000, to: 4_000, isLock: true };
  it('are too long for a read beside the lock of a third party, and for a writer that only gets 503', () => {
    const read = (ms) => [{ from: 1_500, ms, answered: true, reader: 'session' }];
    expect(waitsOf([lock], [], read(1_900))).toEqual([]);
    expect(waitsOf([lock], [], read(2_400))).toEqual(['a read took 2.4 s at 1500: hold one row agents']);
    const outage = { from: 1_500, to: 5_000, unavailableMs: 3_000 };
    expect(waitsOf([lock], [outage], [])).toEqual(['503 for 3.0 s at 1500: hold one row agents']);
    expect(waitsOf([{ ...lock, takesPostgres: true }], [outage], [])).toEqual([]);
  });
});

it('the same seed draws the same faults', () => {
  const draw = (seed) => {
    const drawn = drawFaults(randomFrom(seed), { services: ['ingest-1', 'worker-1'], queue: 'redis' });
    return Array.from({ length: 50 }, () => drawn.next().value).map(
      (fault) => `${fault?.name} ${fault?.target} ${fault?.ms}`,
    );
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});
