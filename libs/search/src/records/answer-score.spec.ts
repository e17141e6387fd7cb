import { describe, expect, it } from 'vitest';
import { answerReader } from './answer-evidence.js';
import { answerScore, supportedScore } from './answer-score.js';

const evidence = (question: string, said: string, asked = '') =>
  answerReader(question, ['user', 'customer'])({ said: [said], asked: asked === '' ? [] : [asked] });
const alike = (likeness: number, best = likeness) => ({ likeness, best, compared: 30 });

describe('the score of a record', () => {
  it('grows with the share of the question’s words, of which the subject is none', () => {
    const whole = answerScore(evidence('green tea of the user', 'User drinks green tea.'), null);
    const half = answerScore(evidence('green tea of the user', 'User drinks black tea.'), null);
    expect(whole).toBeGreaterThan(0.9);
    expect(half).toBeLessThan(whole);
    expect(answerScore(evidence('what does the user drive?', 'User drinks green tea.'), null)).toBe(0);
  });

  it('counts other forms and misspellings of a word for less', () => {
    const [same, form, slip] = ['complaint', 'complained', 'complent'].map(
      (word) => evidence(word, 'There was a complaint.').share,
    );
    expect(same).toBe(1);
    expect(form).toBeCloseTo(0.8);
    expect(slip).toBeCloseTo(0.7);
  });

  it('counts the words of the question that the record answers', () => {
    expect(evidence('favourite instrument', 'The cello.').share).toBe(0);
    expect(evidence('favourite instrument', 'The cello.', 'Which instrument do you play?').share).toBeGreaterThan(0.3);
  });

  it('grows with the likeness of meaning, and needs more of it among more records', () => {
    const none = evidence('pets', 'User has a beagle.');
    expect(answerScore(none, alike(0.7))).toBeGreaterThan(0.5);
    expect(answerScore(none, alike(0.3))).toBeLessThan(0.5);
    expect(answerScore(none, { ...alike(0.7), compared: 300 })).toBeLessThan(answerScore(none, alike(0.7)));
  });

  it('is lower if another record is much more alike', () => {
    const none = evidence('premium plan', 'User orders books.');
    expect(answerScore(none, alike(0.6, 0.9))).toBeLessThan(answerScore(none, alike(0.6)));
  });

  it('is that of its turns only if the record itself has to do with the question', () => {
    expect(supportedScore(0.9, evidence('premium plan', 'User has the premium plan.'), null)).toBe(0.9);
    expect(supportedScore(0.9, evidence('premium plan', 'User complained about a delay.'), null)).toBe(0.49);
    expect(supportedScore(0.9, evidence('premium plan', 'User upgraded.'), alike(0.5))).toBe(0.9);
    expect(supportedScore(0.2, evidence('premium plan', 'User complained about a delay.'), null)).toBe(0.2);
  });
});
