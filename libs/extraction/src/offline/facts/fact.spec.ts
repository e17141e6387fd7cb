import { describe, expect, it } from 'vitest';
import { factIn } from './fact.js';
import { examples as others, notAboutOthers } from './others.js';

const told = (plain: string, over: object = {}): string | null => {
  const fact = factIn({
    plain,
    lastClause: null,
    question: null,
    role: 'user',
    before: '',
    cast: { speaker: 'User', listener: 'Assistant' },
    ...over,
  });
  return fact === null ? null : 'text' in fact ? fact.text : fact.plain;
};

describe('a clause', () => {
  it.each([
    'I live in Hue',
    'My name is Linh',
    'I moved from Hanoi to Hue last month',
    'I am going to study medicine',
    'My sister works at a bank',
    'I adopted a dog',
    'I am allergic to peanuts',
    "I can't drive",
    'I got married',
    'I have three cats',
    'I never learned to swim',
    'I do yoga',
    'I am learning to surf',
    'My doctor told me to eat less salt',
    'I had to say goodbye to Rex',
    'I have known Ana for ten years',
    'I am considering going into teaching',
    'I am lactose intolerant',
    'I love to sketch owls',
    'I paid off my student loan',
    'I am good at fixing old radios',
    'I am waiting for the results of my bar exam',
    'I have been with a bank for six years',
    'I am torn between a job in Oslo and a boat',
    'my novel is set in Norway',
    'my latest painting is called Low Tide',
    'I used to collect cassettes',
    'I would rather rent a small shop',
    'I am self-taught',
    'I was nominated for a poetry prize',
    'I have been asked to judge a baking contest',
    'I shot a short film about a lighthouse',
    'I have rewritten my thesis twice',
    'I plan to proofread a novel for my aunt',
    'I have got an agent now',
    'I became head chef in 2021',
    'I am halfway through a biography of Marie Curie',
    'I am down to three days a week at the bakery',
    "I couldn't get a visa",
    'Back in March I entered a photo contest',
    'my first exhibition opens on Friday',
    'I made it to the semifinals of a quiz',
    'I have ninety-six stamps',
    'I owe my brother five hundred euros',
    'I have taken up golf',
    'I have gone vegan',
    'One of my hens hatched six chicks',
    'My old band reunited after ten years',
    'My friend Jo skates for a club in Ghent',
    'I tore a muscle in the gym',
    'I lit a fire on the beach',
  ])('that states a fact is kept: %s', (clause) => {
    expect(told(clause)).toBe(clause);
  });

  it.each([
    'Nice to meet you',
    'I really appreciate your help',
    'I will talk to you soon',
    'I am so proud of you',
    'I am glad it went well',
    'I love the colors',
    'I would love to help',
    'I will do my best',
    'I totally agree with that',
    'I am so sorry',
    "Let's go to the beach with my kids",
    'I am always right here to listen',
    'That is really great',
    'One of my hens',
    'My overworked aunt',
    'I have taken it up',
    'I cannot wait',
    "We hadn't all been in a tent for ten years",
    'I am doing great',
    'I know a place',
    'My sister told me to wait',
    'I sing along with it',
    'I said goodbye',
    'I know how to relax',
    'I have always known',
    'I am considering going into it',
    'I do it every day',
    'A lot has happened since we talked',
    'I have to tell you something',
    'Me too',
    'We can all make a difference',
    'Enjoy the gaming',
    'Taking breaks is vital',
    'I could be a teacher',
    'I might sell my car',
    'I finally finished it',
    'I had a great time',
    'I feel happy',
    "I couldn't agree more with my sister",
    'I am back on track',
    'I am good with that',
    'I am with you',
    'I would rather wait',
    'I am torn',
    'my heart is set on it',
    'I am great at it',
    'I am over the moon',
    'My grandmother would have hated my new flat',
    'I was settled in my ways',
    'We split up',
    'I have been asked to wait',
    'I owe my life to my sister',
    'We bonded over chess and old films',
    'We celebrated at a restaurant, laughing about old films',
    'We were teammates for four years',
    'I love escaping to that village',
    'I learned a lot from watching a painter like her',
  ])('that states no fact is dropped: %s', (clause) => {
    expect(told(clause)).toBeNull();
  });

  it.each([
    ['I ran a race for charity – it was amazing', 'I ran a race for charity'],
    ['My dad does judo twice a week and last month he won a cup', 'My dad does judo twice a week'],
    ['I got tired of my job in Ghent and wanted to do something real', 'I got tired of my job in Ghent'],
    ['My aunt rented a boat in Ghent and told everyone that it was hers', 'My aunt rented a boat in Ghent'],
    ['I signed up for an evening class and got hooked', 'I signed up for an evening class'],
    ['I sold my old boat, actually, straight after', 'I sold my old boat'],
    ['I am in the exchange program I applied for', 'I am in the exchange program I applied for'],
    ['I made a rhubarb cake, take a look', 'I made a rhubarb cake,'],
    ['I moved to Hue because I found a job there', 'I moved to Hue because I found a job there'],
    ['We even played some darts afterward just for fun', 'I even played some darts'],
    ['I swam and ate pancakes afterwards', 'I swam and ate pancakes afterwards'],
    [
      'I am keen to watch this new show that is coming out called "Waves"',
      'I am keen to watch a new show called "Waves"',
    ],
    ['I bought a boat, which was great', 'I bought a boat,'],
    ['we adopted a dog', 'I adopted a dog'],
    ['we are putting together a puppet show', 'I am putting together a puppet show'],
    ['we love painting together lately', 'I love painting lately'],
    ["we celebrated my sister's birthday", "I celebrated my sister's birthday"],
    ['I joined a choir to stay on track with the venture', 'I joined a choir'],
  ])('is cut to its fact: %s', (clause, expected) => {
    expect(told(clause)).toBe(expected);
  });

  it.each([
    ['I have been swimming longer since our last chat', 'I have been swimming longer'],
    ['I gathered ideas for my next move', 'I gathered ideas'],
    ['I made a clay bowl in my class', 'I made a clay bowl'],
    ['I am hosting a chess party two weekends later', 'I am hosting a chess party'],
  ])('loses an end that refers to nothing named: %s', (clause, expected) => {
    expect(told(clause)).toBe(expected);
  });

  it.each(['I cooked a meal for folks who lost their jobs', 'We need way better schools'])(
    'that is cut short or speaks for everyone is dropped: %s',
    (clause) => {
      expect(told(clause)).toBeNull();
    },
  );

  it('of a group is kept if the message names the companions', () => {
    expect(told('We bonded over chess and old films', { before: 'I met my cousins.' })).toBe(
      'We bonded over chess and old films',
    );
  });

  const cast = { speaker: 'Tom', listener: 'Nora', others: new Set(['Ana']) };
  it.each(others)('about someone else, %j, is told as %j', (clause, expected) => {
    expect(told(clause, { cast })).toBe(expected);
  });
  it.each(notAboutOthers)('about someone else that states no fact is dropped: %s', (clause) => {
    expect(told(clause, { cast })).toBeNull();
  });
  it('about someone else is not told by an unnamed agent', () => {
    const agent = { role: 'assistant', cast: { ...cast, speaker: 'Assistant', listener: 'User' } };
    expect(told('Ana organised a lantern parade in May', agent)).toBeNull();
  });

  it('of an unnamed agent states actions, never attributes', () => {
    const agent = { role: 'assistant', cast: { speaker: 'Assistant', listener: 'User' } };
    expect(told('I have booked you a table at Luigi', agent)).not.toBeNull();
    expect(told('I am a virtual assistant', agent)).toBeNull();
    expect(told('I love helping people', agent)).toBeNull();
  });
});
