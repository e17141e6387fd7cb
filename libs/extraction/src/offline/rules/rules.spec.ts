import { describe, expect, it } from 'vitest';
import { isBareAnswer, openQuestion } from './answers.js';
import { preferenceIn } from './preferences.js';
import { isReport } from './reported.js';
import { KEEP_FROM, salienceOf } from './salience.js';
import { smallTalkIn } from './small-talk.js';
import { leansOnBefore } from './subject.js';
import { topicOf } from './topic.js';

describe('small talk', () => {
  it.each([
    ['greeting', 'Nice to meet you'],
    ['thanks', 'I really appreciate your help'],
    ['farewell', 'I will talk to you soon'],
    ['wish', 'I am rooting for you'],
    ['listener', 'I am so proud of you'],
    ['gladness', 'I am glad it went well'],
    ['admiring', 'I love the colors'],
    ['offer', 'I would love to help'],
    ['resolve', 'I will do my best'],
    ['assent', 'I totally agree with that'],
    ['apology', 'I am so sorry'],
    ['proposal', "Let's go to the beach with my kids"],
    ['help', 'I am always right here to listen'],
    ['filler', 'That is really great'],
    ['anticipation', 'I cannot wait'],
    ['wellbeing', 'I am doing great'],
    ['catching up', 'A lot has happened since we talked'],
    ['preamble', 'I have to tell you something'],
    ['rhetoric', 'Me too'],
  ])('is a %s: %s', (family, clause) => {
    expect(smallTalkIn(clause)).toBe(family);
  });

  it.each([
    'I live in Hue',
    'I love the beach',
    'We have a nice garden',
    'I enjoy the quiet',
    'I am proud of my son',
    'I thanked my boss for the raise',
    'My mother means everything to me',
  ])('is not: %s', (clause) => {
    expect(smallTalkIn(clause)).toBeNull();
  });
});

describe('salience', () => {
  it.each([
    'I live in Hue',
    'My name is Linh',
    'I moved from Hanoi to Hue last month',
    'We have two cats',
    'We saw a bear there',
    'I am going to study medicine',
    'My sister works at a bank',
  ])('keeps %s', (clause) => {
    expect(salienceOf(clause)).toBeGreaterThanOrEqual(KEEP_FROM);
  });

  it.each(['We can all make a difference', 'I see you', 'It helps us', 'Show me'])('drops %s', (clause) => {
    expect(salienceOf(clause)).toBeLessThan(KEEP_FROM);
  });
});

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

describe('bare answers', () => {
  const asked = (content: string) =>
    openQuestion({ eventId: 'q', sequence: 1, role: 'assistant', speaker: null, content, at: '', source: null });

  it('need a question for a fact', () => {
    expect(asked('Nice! What is your dog called?')?.text).toBe('What is your dog called?');
    expect(asked('How was it?')).toBeNull();
    expect(asked('Do you have pets? What is your job?')).toBeNull();
    expect(asked('What a day. I am off.')).toBeNull();
    expect(openQuestion(undefined)).toBeNull();
  });

  it.each(['Milo.', 'Two cats', 'In Hue since May'])('are: %s', (answer) => {
    expect(isBareAnswer(answer, 'Assistant')).toBe(true);
  });

  it.each([
    'It was great',
    'Sure',
    'Assistant',
    'Why?',
    'I have two cats',
    'That is a very long answer to such a short question',
  ])('are not: %s', (answer) => {
    expect(isBareAnswer(answer, 'Assistant')).toBe(false);
  });
});

describe('a clause that leans on the one before', () => {
  it.each(['It calms me', 'They helped us', 'Reminds me of home', 'Been hard for me', 'Because I was tired'])(
    'is: %s',
    (clause) => {
      expect(leansOnBefore(clause)).toBe(true);
    },
  );
  it.each(['I like it', 'My mother helps them', 'Painting calms me', 'When I was young, I sang'])(
    'is not: %s',
    (clause) => {
      expect(leansOnBefore(clause)).toBe(false);
    },
  );
});

describe('the topic of a prompt', () => {
  const topic = topicOf('Remember the dietary restrictions and allergies of the user.');
  it('covers what shares a word with it', () => {
    expect(topic.covers('I am allergic to nuts')).toBe(true);
    expect(topic.covers('I have a dog')).toBe(false);
  });
  it('is empty when the prompt says nothing', () => {
    expect(topicOf('Remember everything about the user').covers('I am the user and I have a dog')).toBe(false);
  });
});
