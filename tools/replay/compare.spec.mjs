import { describe, expect, it } from 'vitest';
import { compareSession } from './compare.mjs';
import { exactJson } from './exact-json.mjs';

/** @type {import('./locomo.mjs').Turn['payload']} */
const payload = { type: 'CONVERSATIONAL', role: 'user', message: 'Hi' };
const turn = { payload, eventTimestamp: '2023-05-08T13:56:00Z', metadata: { speaker: 'Ada' } };
const differences = (sent, stored) => compareSession(sent, stored).different;
/** @type {import('./locomo.mjs').Session} */
const session = { actorId: 'ada', sessionId: 's1', turns: [turn] };
const stored = (changes = {}) => ({
  sequence: 1,
  payload,
  event_timestamp: '2023-05-08T13:56:00.000Z',
  metadata: { speaker: 'Ada' },
  ...changes,
});

describe('what was sent and what is stored', () => {
  it('are equal when every field is', () => expect(differences(session, [stored()])).toEqual([]));

  it.each([
    ['message', { payload: { ...payload, message: 'Hi ' } }],
    ['role', { payload: { ...payload, role: 'assistant' } }],
    ['type', { payload: { ...payload, type: 'conversational' } }],
    ['metadata', { metadata: {} }],
    ['metadata', { metadata: undefined }],
    ['eventTimestamp', { event_timestamp: '2023-05-08T13:56:01Z' }],
    ['sequence', { sequence: 2 }],
  ])('differ in %s', (field, changes) => {
    expect(differences(session, [stored(changes)])).toEqual([`ada/s1: turn 1 differs in ${field}`]);
  });

  it('differ when a turn is missing', () => expect(differences(session, [])).toEqual(['ada/s1: turn 1 is missing']));
  it('differ when there is one too many', () => {
    expect(differences(session, [stored(), stored({ sequence: 2 })])).toEqual(['ada/s1: 1 more events than were sent']);
  });
  it('are counted turn by turn', () => {
    const two = { ...session, turns: [turn, turn] };
    expect(compareSession(two, [stored(), stored({ sequence: 5, metadata: {} })]).equal).toBe(1);
  });
  it('are compared with every digit of a long integer', () => {
    const read = (digits) => exactJson.parse(`{"n":${digits}}`);
    const exact = { actorId: 'ada', sessionId: 's1', turns: [{ ...turn, metadata: read('9007199254740993') }] };
    expect(differences(exact, [stored({ metadata: read('9007199254740993') })])).toEqual([]);
    for (const other of ['9007199254740992', '"9007199254740993"']) {
      expect(differences(exact, [stored({ metadata: read(other) })])).toEqual(['ada/s1: turn 1 differs in metadata']);
    }
  });
  it('are equal when no time was sent', () => {
    const timeless = { payload };
    expect(differences({ ...session, turns: [timeless] }, [stored({ metadata: undefined })])).toEqual([]);
  });
});
