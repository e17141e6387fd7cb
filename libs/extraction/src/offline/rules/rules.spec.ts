import { describe, expect, it } from 'vitest';
import { preferenceIn } from './preferences.js';
import { isReport } from './reported.js';
import { topicOf } from './topic.js';

describe('preferences', () => {
  it.each([
    ['like', 'I really love spicy food'],
    ['like', 'I am a big fan of jazz'],
    ['like', 'My favourite colour is green'],
    ['like', 'Swimming makes me happy'],
    ['dislike', "I can't stand noise"],
    ['dislike', 'I do not like mornings'],
    ['habit', 'I usually get up at six'],
    ['habit', 'I swim twice a week'],
    ['habit', 'We eat out every Friday'],
    ['constraint', 'I am allergic to nuts'],
    ['constraint', 'I never drink alcohol'],
    ['constraint', 'I can only talk after five'],
    ['constraint', 'I avoid mussels'],
    ['constraint', 'I eat gluten-free'],
  ])('states a %s: %s', (kind, clause) => {
    expect(preferenceIn(clause)).toBe(kind);
  });

  it.each([
    'I would like a coffee',
    'I have a dog',
    'It feels like rain',
    'I am stepping into the unknown',
    'I moved to Hue',
  ])('states none: %s', (clause) => {
    expect(preferenceIn(clause)).toBeNull();
  });
});

describe('reports', () => {
  it.each([
    'The museum opens at 9 on Sundays in Hue',
    'Your table is booked for Friday',
    'Your confirmation number is 4471',
    'The flight leaves at 18:40 from Da Nang',
  ])('are kept: %s', (clause) => {
    expect(isReport(clause)).toBe(true);
  });

  it.each([
    'The stories were really inspiring',
    'You should visit Hue on Monday',
    'Your kindness is a gift',
    'Books have such power over people',
  ])('are not: %s', (clause) => {
    expect(isReport(clause)).toBe(false);
  });
});

describe('the topic of a prompt', () => {
  const topic = topicOf('Remember the dietary restrictions and allergies of the user.');
  it('covers clauses that share a word with it', () => {
    expect(topic.covers('I am allergic to nuts')).toBe(true);
    expect(topic.covers('I have a dog')).toBe(false);
  });
  it('is empty if the prompt has no content words', () => {
    expect(topicOf('Remember everything about the user').covers('I am the user and I have a dog')).toBe(false);
  });
});
