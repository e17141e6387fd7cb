import type { WindowMessage } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { NotesExtractor } from './notes-extractor.js';

const said = (role: string, content: string, speaker: string | null = null) => ({ role, content, speaker });
const user = (content: string) => said('user', content);
const agent = (content: string) => said('assistant', content);
const ann = (content: string) => said('user', content, 'Ann');
const bea = (content: string) => said('assistant', content, 'Bea');

interface Fact {
  readonly text: string;
  readonly attribute?: { readonly value: string; readonly single: boolean };
}
const factsOf = (...messages: ReturnType<typeof said>[]): Fact[] =>
  JSON.parse(
    new NotesExtractor().apply({
      ...{ tenantId: 't', strategyType: 'SEMANTIC', strategyVersion: 1, customPrompt: null, context: [] },
      messages: messages.map((message, index): WindowMessage => ({
        ...message,
        ...{ eventId: `e${index}`, sequence: index + 1, source: null, at: '2026-03-04T12:00:00Z' },
      })),
    }).rawAnswer,
  ).facts;
const textsOf = (...messages: ReturnType<typeof said>[]) => factsOf(...messages).map(({ text }) => text);

describe('an agent’s answer', () => {
  it('quotes its question, which is then no note of its own', () => {
    expect(textsOf(user('I would like to know which bus goes to Leith?'), agent('Bus 22 from Mill Street.'))).toEqual([
      'Asked "I would like to know which bus goes to Leith?", Agent said: "Bus 22 from Mill Street."',
    ]);
  });

  it('to a question that names nothing quotes what had a name before', () => {
    expect(
      textsOf(
        user('I am looking for a tyre shop, is Brisk Tyres in Leith open?'),
        agent('It is.'),
        user('I want it done fast today.'),
        agent('Fine.'),
        user('How much is a new one?'),
        agent('A new tyre is 40 euros with fitting.'),
      ).at(-1),
    ).toMatch(/^After User said "I am looking for a tyre shop, is Brisk Tyres in Leith open\?", /);
  });

  it('to a question that tells nothing, with nothing before it, is no note', () => {
    expect(textsOf(user('And the other one?'), agent('That tyre would be 40 euros with fitting.'))).toEqual([]);
  });

  it('is not about an earlier question for a number', () => {
    const texts = textsOf(
      user('May I have the phone number?'),
      agent('Sure, it is 0170 5558 341.'),
      user('How late is it open?'),
      agent('It is open from 9 to 18 with a long lunch break.'),
    );
    expect(texts.join()).not.toContain('After User said "May I have');
  });

  it('keeps the no that follows what was done', () => {
    expect(
      textsOf(
        agent('Shall I reserve two seats at Casa Lupo in Graz for May 6th?'),
        user('Perfect. Terrace seats?'),
        agent("I've made the reservation. No terrace seats."),
      ).at(-1),
    ).toContain('asked "Terrace seats?", Agent said: "I\'ve made the reservation. No terrace seats."');
  });

  it('tells what was done when the consent asked something more', () => {
    expect(
      textsOf(
        agent('Shall I book the Grand Pavilion from Friday?'),
        user('Yes. Where is it?'),
        agent('I have booked it for you. It is on Mill Lane 4.'),
      ).at(-1),
    ).toContain('Agent said: "I have booked it for you. It is on Mill Lane 4."');
  });
});

it('an answer is about the newest wish, however short, and a topic needs no yes', () => {
  const confirming = 'Please confirm: an appointment with Vera Lindt on May 6th at noon.';
  const talk = [agent(confirming), user('I am good with that.'), agent('Done.')];
  expect(textsOf(...talk, user('What phone number do they have?'), agent('Dial +43 316 555 011.')).at(-1)).toContain(
    `After Agent said "${confirming}"`,
  );
  expect(textsOf(...talk, user('I want to find a cab.'), agent('How many people?'), user("It's for 1.")).at(-1)).toBe(
    'After User said "I want to find a cab.", asked "How many people?", User said: "It\'s for 1."',
  );
});

describe('a consent', () => {
  it('quotes the offer whole', () => {
    expect(
      textsOf(
        user('I need a hotel.'),
        agent('I found 2 hotels. One is the Grand Pavilion in Graz.'),
        user('Yes, that works.'),
      ).join(),
    ).toContain('Asked "I found 2 hotels. One is the Grand Pavilion in Graz."');
  });

  it('has what was done as its outcome, and not what is offered next', () => {
    expect(
      textsOf(
        agent('Shall I set a reminder for the dentist?'),
        user('Yes, do that.'),
        agent('Should I set another for the optician. The reminder has been added.'),
      ),
    ).toEqual([
      'Asked "Shall I set a reminder for the dentist?", User said: "Yes, do that." Agent said: "The reminder has been added."',
    ]);
  });
});

it('the answer to a question that is asked again replaces the first one', () => {
  const facts = factsOf(
    agent('What is your order number?'),
    user('447133'),
    agent('What is your order number?'),
    user('447134'),
  );
  const single = facts.flatMap(({ attribute }) => (attribute?.single === true ? [attribute.value] : []));
  expect(single).toContain('447133');
  expect(single).toContain('447134');
});

describe('between friends', () => {
  it('a question that points to what was said before is quoted with it', () => {
    expect(
      textsOf(
        bea('We got a grey parrot from the shelter in March.'),
        ann('Where does it sleep when your noisy kitchen neighbours repair motorcycles?'),
        bea('On the kitchen shelf beside the old radio.'),
      ).at(-1),
    ).toMatch(/^After Bea said "We got a grey parrot from the shelter in March\.", asked "Where does it sleep when/);
  });

  it('a remark on what the other one shows answers nothing', () => {
    expect(
      textsOf(
        bea('How did your garden turn out? Here is my shed.'),
        ann('Love the colours of that wood! I planted beans and tomatoes beside the gate.'),
      ),
    ).toEqual(['Asked "How did your garden turn out?", Ann said: "I planted beans and tomatoes beside the gate."']);
  });

  it('praise of the other one is no note, and neither is a long answer without content', () => {
    expect(
      textsOf(
        bea('Hi!'),
        ann('You painted that bridge in Graz for the museum, I told my sister Clara and the neighbour.'),
      ),
    ).toEqual([]);
    expect(
      textsOf(
        bea('How did the charity race go, Ann?'),
        ann('It was so cool to see what a difference all of us can make together.'),
      ),
    ).toEqual([]);
  });
});

describe('in a call', () => {
  const report = agent('Expect some 20 degrees, a light wind from the west and a small chance of rain.');

  it('an agent’s report quotes the request before it, if that names something', () => {
    expect(textsOf(user('Please check the forecast for Leith.'), report)).toEqual([
      expect.stringContaining('User said: '),
      expect.stringMatching(/^After User said "Please check the forecast for Leith\.", Agent said: "Expect /),
    ]);
    expect(textsOf(user('Please check the forecast.'), report).at(-1)).toMatch(/^Agent said: /);
  });

  it('a report that tells little quotes the words it replies to, not an earlier request', () => {
    const texts = textsOf(
      user('I wish to see the balance of my current account.'),
      agent('It has 300 euros.'),
      user('Give details of the shared holiday account.'),
      agent('Your balance is 4,100 euros.'),
    );
    expect(texts.at(-1)).toBe(
      'After User said "Give details of the shared holiday account.", Agent said: "Your balance is 4,100 euros."',
    );
  });

  it('a new request is not about the one before it', () => {
    const texts = textsOf(
      user('I wish to see the balance of my current account.'),
      agent('It has 300 euros.'),
      user('I want to transfer 1630 dollars.'),
    );
    expect(texts.at(-1)).toBe('User said: "I want to transfer 1630 dollars."');
  });

  it('a caller’s e-mail address is about no request', () => {
    const texts = textsOf(
      user('I need a boarding pass.'),
      agent('And your e-mail address?'),
      user('petra 56 fastpost'),
    );
    expect(texts.at(-1)).toBe('Asked "And your e-mail address?", User said: "petra 56 fastpost"');
  });

  it('a question agrees to nothing that was only told', () => {
    const texts = textsOf(
      agent('There is a flat at 12 Mill Lane for 900 euros a month.'),
      user('Okay, is it furnished?'),
      agent('No, the flat is not furnished.'),
    );
    expect(texts.filter((text) => text.includes('User said: "Okay'))).toEqual([]);
    expect(textsOf(agent('Shall I book the flat at 12 Mill Lane?'), user('Yes, is it furnished?'))).toHaveLength(1);
  });

  it('a no with thanks takes leave', () => {
    expect(textsOf(agent('Do you still need me for the rest of it?'), user('No, thank you.'))).toEqual([]);
    expect(textsOf(agent('Do you need a taxi to Leith?'), user('No, thank you.'))).toHaveLength(1);
  });
});
