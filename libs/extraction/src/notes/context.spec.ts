import type { WindowMessage } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { notesIn } from './notes.js';

const said = (role: string, content: string, speaker: string | null = null) => ({ role, content, speaker });
const textsOf = (...messages: ReturnType<typeof said>[]): string[] =>
  notesIn(
    messages.map((message, index): WindowMessage => ({
      ...message,
      ...{ eventId: `e${index}`, sequence: index + 1, source: null, at: '2026-03-04T12:00:00Z' },
    })),
    [],
  ).notes.map(({ candidate: { text } }) => text);

describe('what is quoted before a statement', () => {
  it('never spans what was left out, such as a secret', () => {
    expect(
      textsOf(
        said('user', 'I queued at the Mill Street counter. My pin is 4821. They lost my old form twice today.', 'Ann'),
        said('assistant', 'I hated queueing there every single morning of winter.', 'Bea'),
      ).at(-1),
    ).toBe(
      'After Ann said "They lost my old form twice today.", Bea said: "I hated queueing there every single morning of winter." (said on 4 March 2026)',
    );
  });

  it('holds no secret that the other side repeats between two details', () => {
    const notes = textsOf(
      said('assistant', 'What is your PIN?'),
      said('user', '4 8 2 1'),
      said('assistant', 'A table for two at Osteria Lupa. I have 4821 here. Is Tuesday at seven right?'),
      said('user', 'Yes.'),
    );
    expect(notes).toHaveLength(1);
    expect(notes.join()).not.toContain('4821');
  });

  it('is the nearest sentence with a name, with the sentences before it', () => {
    expect(
      textsOf(
        said('user', 'I need a plumber.'),
        said('assistant', 'I found two for you. One is Brisk Pipes on Tarn Street.'),
        said('user', 'What do they charge?'),
        said('assistant', 'They charge 60 euros.'),
      ).at(-1),
    ).toBe(
      'After Agent said "I found two for you. One is Brisk Pipes on Tarn Street.", asked "What do they charge?", Agent said: "They charge 60 euros."',
    );
  });

  it('is needed: without it, a price or a bare answer is no note', () => {
    expect(textsOf(said('user', 'How much is it?'), said('assistant', 'It costs 40 euros a month.'))).toEqual([]);
    expect(textsOf(said('assistant', 'What time?'), said('user', 'At 7:45.'))).toEqual([]);
  });

  it('is not needed between friends by what tells enough, and feelings alone tell nothing', () => {
    const chat = (content: string) => textsOf(said('assistant', 'Hi!', 'Bea'), said('user', content, 'Ann'));
    const told = 'We adopted a grey puppy and she sleeps on the sofa.';
    expect(chat(told)).toEqual([`Ann said: "${told}"`]);
    expect(chat('I am so happy and proud, and I will keep following my dreams.')).toEqual([]);
  });

  it('is not what is said when the caller takes leave', () => {
    expect(textsOf(said('assistant', 'Is there anything else?'), said('user', "No, I've got my answer."))).toEqual([]);
  });
});

describe('what changes in a call', () => {
  it('is quoted with the words that change it, and an agent’s echo of it is left out', () => {
    expect(
      textsOf(
        said('assistant', 'Which day suits you for the boiler service?'),
        said('user', 'Monday morning is fine.'),
        said('assistant', 'Monday morning it is.'),
        said('user', 'Actually, make it Friday.'),
      ),
    ).toEqual([
      'Asked "Which day suits you for the boiler service?", User said: "Monday morning is fine." Later User said: "Actually, make it Friday." (said on 4 March 2026)',
    ]);
  });

  it('is not what a caller says when taking leave', () => {
    const texts = textsOf(
      said('user', 'I need a ladder for the gutter on Monday.'),
      said('assistant', 'A ladder for the gutter, on Monday. Anything else?'),
      said('user', "I don't need anything else."),
    );
    expect(texts[0]).toBe('User said: "I need a ladder for the gutter on Monday." (said on 4 March 2026)');
  });

  it('leaves no failure that was overcome, neither as a note nor before one', () => {
    const texts = textsOf(
      said('user', 'Please book the Grand Pavilion from Friday.'),
      said('assistant', 'Unfortunately the Grand Pavilion did not answer.'),
      said('user', 'Try again please.'),
      said('assistant', "I've booked the Grand Pavilion from Friday, reference GP5512."),
    );
    expect(texts.join()).not.toContain('Unfortunately');
    expect(texts.join()).toContain('GP5512');
  });
});

it('a declined offer is no note, and an agent’s statement needs no earlier topic if it tells enough', () => {
  const box = 'Your next box comes on Thursday evening.';
  expect(
    textsOf(said('user', "I'm allergic to peanuts."), said('assistant', 'Noted.'), said('assistant', box)).at(-1),
  ).toBe(`Agent said: "${box}" (said on 4 March 2026)`);
  const bus = said('assistant', 'The bus to Leith leaves at 7:20 and costs 9 pounds.');
  expect(textsOf(bus, said('user', 'Is there any other bus?')).join()).not.toContain('7:20');
});

describe('what is confirmed', () => {
  it('is not what was refused before, and is quoted where it follows the request to confirm it', () => {
    expect(
      textsOf(
        said('assistant', 'Please confirm the details. You want 4 seats for Circus Bellini on May 9th in Graz.'),
        said('user', 'No, just two seats.'),
        said('assistant', 'Please confirm the details. You want 2 seats for the show on May 9th.'),
        said('user', 'Yes, that is right.'),
        said('assistant', 'I have bought the seats, enjoy!'),
      ).at(-1),
    ).toBe(
      'Asked "Please confirm the details. You want 2 seats for the show on May 9th.", User said: "Yes, that is right." ' +
        'Agent said: "I have bought the seats, enjoy!"',
    );
  });
});

describe('an answer', () => {
  it('keeps the no that it begins with', () => {
    expect(
      textsOf(
        said('assistant', 'Did you learn an instrument as a child, Ann?', 'Bea'),
        said('user', 'No, I never did. But playing the accordion with Tom in Graz makes me happy now.', 'Ann'),
      ).join(),
    ).toContain('said: "No, I never did. But playing');
  });

  it('with two values gives each one without the word that joins them', () => {
    expect(
      textsOf(
        said('assistant', 'May I have your name and your membership number?'),
        said('user', 'kestrel and 88213'),
      ).map((text) => text.split('said: ')[1]),
    ).toEqual(['"kestrel"', '"88213"']);
  });
});

it('a value is not taken back by a word of apology before another one', () => {
  const notes = textsOf(
    said('user', 'I need new glasses. My member number is 44 71 12.'),
    said('assistant', 'Thank you. What else?'),
    said('user', 'Sorry, before I forget: my phone number is 0170 5558 341.'),
    said('assistant', 'Noted.'),
    said('user', 'Sorry, the number on my card is of an old order.'),
  );
  expect(notes.filter((text) => text.includes('44 71 12'))).toHaveLength(1);
  expect(notes.join()).not.toContain('Later');
});

describe('an attempt that failed', () => {
  const failed = [
    said('user', 'Please book me a slot at Harbour Dental.'),
    said('assistant', 'Confirming your May 6th 9:20 am slot at Harbour Dental.'),
    said('user', 'Yes, please.'),
    said('assistant', 'I am afraid I could not book that slot.'),
  ];

  it('is not noted when another one succeeded', () => {
    const notes = textsOf(
      ...failed,
      said('user', 'Then try May 8th at 2 pm.'),
      said('assistant', 'So May 8th at 2 pm at Harbour Dental?'),
      said('user', 'Yes, please.'),
      said('assistant', 'Your slot at Harbour Dental is booked.'),
    ).join();
    expect(notes).not.toContain('9:20');
    expect(notes).toContain('May 8th at 2 pm');
  });

  it('is noted with its failure when none did', () => {
    expect(textsOf(...failed).find((text) => text.includes('9:20'))).toContain('could not book that slot');
  });

  it('is left out when what was proposed instead is booked', () => {
    const notes = textsOf(
      said('user', 'I want a table at Casa Lupo.'),
      said('assistant', 'For which time?'),
      said('user', 'For 7:15 pm on May 6th.'),
      said('assistant', 'A table at Casa Lupo on May 6th at 7:15 pm, right?'),
      said('user', 'Yes, that is right.'),
      said('assistant', 'Sorry, I could not reserve the table. Does 8:45 pm on May 6th at Casa Lupo work instead?'),
      said('user', 'Yes, that works.'),
      said('assistant', 'I have reserved the table and you should get an email shortly.'),
    ).join();
    expect(notes).not.toContain('A table at Casa Lupo');
    expect(notes).toContain(
      'Asked "Does 8:45 pm on May 6th at Casa Lupo work instead?", User said: "Yes, that works."',
    );
  });
});
