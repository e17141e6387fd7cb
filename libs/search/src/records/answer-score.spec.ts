import { describe, expect, it } from 'vitest';
import { answerReader } from './answer-evidence.js';
import { answerScore, supportedScore } from './answer-score.js';

const evidence = (question: string, said: string, asked = '') =>
  answerReader(question, ['user', 'customer'])({ said: [said], asked: asked === '' ? [] : [asked] });
const alike = (likeness: number | null, compared = 6) => ({ likeness, compared });
const scoresOf = (question: string, records: readonly string[]) => {
  const read = answerReader(question, ['user', 'customer'], records);
  return records.map((text) => answerScore(read({ said: [text], asked: [] }), alike(null, records.length)));
};

describe('the score of a record', () => {
  it('grows with the share of the question’s words, of which the subject is none', () => {
    const whole = answerScore(evidence('green tea of the user', 'User drinks green tea.'), alike(null));
    const half = answerScore(evidence('green tea of the user', 'User paints green fences.'), alike(null));
    expect(whole).toBeGreaterThan(0.9);
    expect(half).toBeLessThan(whole);
    expect(evidence('what does the user drive?', 'User drinks green tea.').share).toBe(0);
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
  it('is that of the record with the same topic, by words alone', () => {
    const [beagle, tea] = scoresOf('pets of the user', ['User has a beagle.', 'User drinks green tea.']);
    expect(beagle).toBeGreaterThan(0.5);
    expect(tea).toBeLessThan(0.1);
  });
  it('counts a word that all records have for little', () => {
    const records = ['Diver owns a torch.', 'Diver lives in Malta.', 'Diver fears sharks.', 'Diver eats olives.'];
    const scores = scoresOf('Where does the diver live?', records);
    expect(scores[1]).toBeGreaterThan(0.5);
    expect(Math.max(scores[0]!, scores[2]!, scores[3]!)).toBeLessThan(0.5);
  });
  it('grows with the likeness of meaning, and needs more of it among more records', () => {
    const none = evidence('pets', 'User has an axolotl.');
    const score = (likeness: number, compared: number) => answerScore(none, alike(likeness, compared));
    expect(score(0.7, 6)).toBeGreaterThan(score(0.3, 6));
    expect(score(0.7, 300)).toBeLessThan(score(0.7, 6));
  });
  it('compares only the words themselves in languages without word vectors', () => {
    const vietnamese = evidence('Khách hàng đang dùng gói cước nào?', 'Khách hàng đang dùng gói cước gia đình.');
    expect(vietnamese.knowsMeanings).toBe(false);
    expect(answerScore(vietnamese, alike(null))).toBeGreaterThan(0.5);
  });
  it('is that of its turns only if the record itself has to do with the question', () => {
    const score = (said: string, likeness: number | null = null) =>
      supportedScore(0.9, evidence('premium plan', said), alike(likeness));
    expect(score('User has the premium plan.')).toBe(0.9);
    expect(score('User saw a heron.')).toBe(0.49);
    expect(score('User saw a heron.', 0.5)).toBe(0.9);
    expect(supportedScore(0.2, evidence('premium plan', 'User saw a heron.'), alike(null))).toBe(0.2);
  });
});
