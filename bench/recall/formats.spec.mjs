import { describe, expect, it } from 'vitest';
import { conversationsOf } from './formats.mjs';

const turn = (role, content, hasAnswer) => ({ role, content, ...(hasAnswer ? { has_answer: true } : {}) });
const entry = (id, more = {}) => ({
  question_id: id,
  question_type: 'single-session-user',
  question: 'Where is the boat?',
  answer: 'In Hue',
  answer_session_ids: ['s1'],
  haystack_session_ids: ['s1'],
  haystack_dates: ['2023/05/20 (Sat) 02:21'],
  haystack_sessions: [[turn('user', 'The boat is in Hue.', true), turn('assistant', 'Good to know.')]],
  ...more,
});

describe("LongMemEval's questions", () => {
  it('are asked with the turns that answer them', () => {
    const [{ questions, leftOut }] = conversationsOf([entry('q1')]);
    expect(questions).toMatchObject([{ text: 'Where is the boat?', evidence: ['0:0'] }]);
    expect(leftOut).toBe(0);
  });

  it('are left out and counted if nothing answers them', () => {
    const silent = entry('q3', { answer_session_ids: [], haystack_sessions: [[turn('user', 'Hello.')]] });
    const conversations = conversationsOf([entry('q1'), entry('q2_abs'), silent]);
    expect(conversations.map(({ questions, leftOut }) => [questions.length, leftOut])).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
    ]);
  });
});

describe("LoCoMo's questions", () => {
  it('are left out and counted if they name no turn', () => {
    const conversation = {
      speaker_a: 'Ana',
      speaker_b: 'Bo',
      session_1_date_time: '4:05 pm on 9 June, 2021',
      session_1: [{ speaker: 'Ana', dia_id: 'D1:1', text: 'The boat is in Hue.' }],
    };
    const qa = [
      { question: 'Where is the boat?', answer: 'In Hue', category: 4, evidence: ['D1:1'] },
      { question: 'Who built it?', answer: 'Bo', category: 4, evidence: [] },
    ];
    const [{ questions, leftOut }] = conversationsOf([{ sample_id: 'a', conversation, qa }]);
    expect([questions.length, leftOut]).toEqual([1, 1]);
  });
});
