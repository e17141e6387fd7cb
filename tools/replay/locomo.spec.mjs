import { describe, expect, it } from 'vitest';
import { isLocomo, locomoSessions, parseDate } from './locomo.mjs';

const turn = (speaker, dia_id, text, extra = {}) => ({ speaker, dia_id, text, ...extra });
const conversation = {
  speaker_a: 'Ada',
  speaker_b: 'Bo',
  session_2_date_time: '12:05 am on 1 February, 2024',
  session_2: [turn('Bo', 'D2:1', 'Morning!')],
  session_1_date_time: '6:10 pm on 2 July, 2021',
  session_1: [
    turn('Ada', 'D1:1', 'I got a dog.'),
    turn('Bo', 'D1:2', 'Look.', {
      blip_caption: 'a photo of a dog',
      query: 'dog',
      img_url: ['https://example.org/dog.jpg'],
    }),
  ],
  session_3_date_time: '1:00 pm on 2 February, 2024',
  session_10: [],
};
const data = [{ sample_id: 'sample-1', conversation, qa: [] }];

describe('a LoCoMo file', () => {
  it('is told from other arrays', () => {
    expect(isLocomo(data)).toBe(true);
    expect(isLocomo([{ role: 'user' }])).toBe(false);
  });

  it('gives the sessions that hold turns, in their order, of one actor', () => {
    const sessions = locomoSessions(data);
    expect(sessions.map(({ actorId, sessionId }) => [actorId, sessionId])).toEqual([
      ['sample-1', 'session_1'],
      ['sample-1', 'session_2'],
    ]);
  });

  it('gives each turn its role, date, speaker and image', () => {
    const [first] = locomoSessions(data);
    expect(first.turns).toEqual([
      {
        payload: { type: 'CONVERSATIONAL', role: 'user', message: 'I got a dog.' },
        eventTimestamp: '2021-07-02T18:10:00.000Z',
        metadata: { speaker: 'Ada', diaId: 'D1:1' },
      },
      {
        payload: { type: 'CONVERSATIONAL', role: 'assistant', message: 'Look.' },
        eventTimestamp: '2021-07-02T18:10:00.000Z',
        metadata: {
          speaker: 'Bo',
          diaId: 'D1:2',
          imageCaption: 'a photo of a dog',
          imageQuery: 'dog',
          imageUrls: ['https://example.org/dog.jpg'],
        },
      },
    ]);
  });

  it('is refused when a third person speaks', () => {
    const odd = { ...conversation, session_1: [turn('Cy', 'D1:1', 'Hi')] };
    expect(() => locomoSessions([{ conversation: odd }])).toThrow('Turn D1:1: Cy is neither Ada nor Bo.');
  });
});

describe('a LoCoMo date', () => {
  it.each([
    ['12:05 am on 1 February, 2024', '2024-02-01T00:05:00.000Z'],
    ['12:30 pm on 1 February, 2024', '2024-02-01T12:30:00.000Z'],
    ['4:05 pm on 9 June, 2021', '2021-06-09T16:05:00.000Z'],
  ])('%s is %s', (text, expected) => expect(parseDate(text)).toBe(expected));
  it('is refused when it is none', () => expect(() => parseDate('yesterday')).toThrow('Not a date'));
});
