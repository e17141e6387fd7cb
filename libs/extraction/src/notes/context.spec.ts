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
