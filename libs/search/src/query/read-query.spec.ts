import { describe, expect, it } from 'vitest';
import { dateWindows, nearness } from './dates.js';
import { asksOfPast, type QueryContext, readTurnQuery, respeltTerms, shortened } from './read-query.js';

const CONTEXT: QueryContext = { languages: ['en'], speakers: ['ada', 'ben'], years: [2025, 2024] };
const read = (question: string, more: Partial<QueryContext> = {}) => readTurnQuery(question, { ...CONTEXT, ...more });
const day = (iso: string) => Date.parse(iso) / 86_400_000;

describe('a parsed question', () => {
  const terms = (question: string) => read(question).terms.map(({ term }) => term);

  it('searches for terms without stop words, names, years and framing words', () => {
    expect(terms("What kind of dogs did Ada's sister adopt in 2024?")).toEqual(['dog', 'sister', 'adopt']);
    expect(terms('Who is Ada?')).toEqual(['ada']);
    expect(terms('What kind?')).toEqual(['kind']);
    expect(terms('the of and')).toEqual([]);
  });

  it('knows a misspelt name of a speaker, and marks words that English does not have', () => {
    const { terms: found, speaker } = read('Where did Melnie buy pottrey?', { speakers: ['melanie', 'ben'] });
    expect(found.map(({ doubtful }) => doubtful)).toEqual([undefined, 'pottrey']);
    expect(speaker).toEqual({ name: 'melanie' });
  });

  it('searches for what was meant instead of misspelt words that no turn has', () => {
    const asked = read('Where is the pottrey?').terms;
    expect(respeltTerms(asked, (stem) => stem === 'pottrey')).toBeNull();
    expect(respeltTerms(asked, () => false)?.[0]?.meant?.slice(0, 2)).toEqual(['potteri', 'potter']);
  });

  it('searches for all forms of an English word as one term', () => {
    expect(read('What did she buy?').terms).toEqual([{ term: 'buy', stems: ['buy', 'bought', 'purchas'] }]);
    expect(read('What was bought?').terms).toEqual([{ term: 'buy', stems: ['bought', 'buy', 'purchas'] }]);
    expect(read('Did he swim where she swam?').terms).toEqual([{ term: 'swim', stems: ['swim', 'swam', 'swum'] }]);
    expect(read('swam', { languages: ['de'] }).terms).toEqual([{ term: 'swam', stems: ['swam'] }]);
  });

  it.each([
    ['Did Ada buy boats?', 'buy', ['buy', 'bought', 'purchas']],
    ['Was the boat bought?', 'bought', ['bought', 'buy', 'purchas']],
    ['Where is the kid?', 'kid', ['kid', 'child', 'children']],
    ['Which kid is the youngest child?', 'child', ['kid', 'child', 'children']],
  ])('searches for a word once, in all its forms, if several languages are spoken: %s', (question, form, stems) => {
    for (const languages of [['en', 'de'] as const, ['de', 'en'] as const]) {
      const holding = read(question, { languages }).terms.filter((term) => term.stems.includes(form));
      expect(holding.map((term) => term.stems)).toEqual([stems]);
    }
  });

  it('leaves out the stop words of its own language, whatever others the turns are in', () => {
    for (const languages of [['en', 'es'] as const, ['es', 'en'] as const]) {
      const { terms: found } = read('When did she go to Brazil?', { languages });
      expect(found.map(({ stems }) => stems[0])).toEqual(expect.arrayContaining(['go', 'brazil']));
      for (const word of ['when', 'did', 'she', 'to']) expect(found.flatMap(({ stems }) => stems)).not.toContain(word);
    }
  });

  it('leaves out no words as stop words of a language that only others of the turns are in', () => {
    for (const [question, languages] of [
      ['His son?', ['es', 'en']],
      ['Which hat?', ['de', 'en']],
    ] as const) {
      const noun = question.slice(0, -1).split(' ').at(-1);
      expect(read(question, { languages }).terms.map(({ term }) => term)).toContain(noun);
    }
  });

  it('knows the rarity of a term in its most frequent form', () => {
    const rarity = (word: string) => [...read(word).rarities.values()];
    expect(rarity('swam')).toEqual(rarity('swim'));
    expect(rarity('gardens')).toEqual(rarity('garden'));
    expect(rarity('garden')).not.toEqual(rarity('swim'));
  });

  it('searches for the 10 rarest words of a long question', () => {
    const common = 'go time new day week house work play make find walk talk read write call help need love like want';
    const long = `${common} velociraptor ${common} yoga`;
    expect(terms(long)).toHaveLength(10);
    expect(terms(long).slice(0, 2)).toEqual(['velociraptor', 'yoga']);
    expect(shortened(long).split(' ')).toHaveLength(10);
    expect(shortened(long).split(' ').slice(0, 2)).toEqual(['velociraptor', 'yoga']);
    expect(shortened('Where is the velociraptor?')).toBe('Where is the velociraptor?');
  });

  it('detects whose turns are meant if it names one speaker or says I or you', () => {
    expect(read('What did Ada say?').speaker).toEqual({ name: 'ada' });
    expect(read('What did Ada tell Ben?').speaker).toBeNull();
    expect(read('What did I say about my sister?').speaker).toEqual({ role: 'user' });
    expect(read('What did you recommend?').speaker).toEqual({ role: 'assistant' });
    expect(read('What did you tell me?').speaker).toBeNull();
  });

  it.each([
    'When did she leave?',
    'What year was it?',
    'How long did it take?',
    'Khi nào bạn đi?',
    '你什么时候去北京？',
  ])('detects that %s asks for a time', (question) => expect(read(question).asksWhen).toBe(true));
  it.each([
    'When did she leave?',
    'Where did Ada go?',
    'Who used to live here?',
    'Trước đây tôi sống ở đâu?',
    '你以前住在哪里？',
  ])('detects that %s concerns the past', (question) => expect(asksOfPast(question)).toBe(true));
  it.each([
    'Where do I live?',
    'What did I say my address is?',
    'When is my appointment?',
    'What did Ana just tell me her number is?',
    'What was my new number?',
  ])('detects that %s concerns the present', (question) => expect(asksOfPast(question)).toBe(false));
  it('detects that other questions do not', () =>
    expect(read('What happened whenever it rained?').asksWhen).toBe(false));
});

describe('the dates of a question', () => {
  const window = (from: string, to: string, weight = 1) => ({ from: day(from), to: day(to), weight });
  it.each([
    ['on 5 June 2024', [window('2024-06-05', '2024-06-05')]],
    ['on June 5th, 2024', [window('2024-06-05', '2024-06-05')]],
    ['in June', [window('2025-06-01', '2025-06-30'), window('2024-06-01', '2024-06-30')]],
    ['on 2024-06-05', [window('2024-06-05', '2024-06-05')]],
    ['in 2024', [window('2024-01-01', '2024-12-31', 0.3)]],
    ['ngày 5 tháng 6 năm 2024', [window('2024-06-05', '2024-06-05')]],
    ['2024年6月5日', [window('2024-06-05', '2024-06-05')]],
    ['what she may do', []],
    ['in May 2024', [window('2024-05-01', '2024-05-31')]],
  ])('%s', (text, windows) => expect(dateWindows(text, CONTEXT.years)).toEqual(windows));

  it('include seasons, if a word of time or a year says that one is meant', () => {
    const days = (text: string) => dateWindows(text, [2023]).map(({ from, to }) => [from, to]);
    expect(days('in spring 2023')).toEqual([[day('2023-03-01'), day('2023-05-31')]]);
    expect(days('what happened last winter')).toEqual([[day('2023-12-01'), day('2024-02-29')]]);
    expect(days('did she fall at the spring?')).toEqual([]);
  });

  it('reach to the years before or after a date, if the question asks for what was before or after it', () => {
    const [since] = dateWindows('since 5 June 2024', []);
    expect(since).toMatchObject({ from: day('2024-06-05'), weight: 0.5 });
    expect(since!.to).toBeGreaterThan(day('2030-01-01'));
    expect(dateWindows('before she moved in June 2024', [])).toEqual([window('2024-06-01', '2024-06-30')]);
    expect(dateWindows('before June', CONTEXT.years)).toEqual([
      { from: expect.any(Number) as number, to: day('2025-05-31'), weight: 0.5 },
    ]);
  });

  it('are one day of each month if only that is named', () => {
    const days = dateWindows('what was said on the 15th?', CONTEXT.years);
    expect(days).toHaveLength(12);
    expect(days[4]).toEqual(window('2025-05-15', '2025-05-15', 0.6));
    expect(dateWindows('who lives on the 5th floor?', CONTEXT.years)).toEqual([]);
  });

  it('score highest on the day, lower after it, and lowest before it', () => {
    const windows = dateWindows('5 June 2024', []);
    const at = (iso: string) => nearness(day(iso), windows);
    expect(at('2024-06-05')).toBe(1);
    expect(at('2024-06-08')).toBeCloseTo(Math.exp(-0.5));
    expect(at('2024-06-02')).toBeCloseTo(0.6 * Math.exp(-1));
    expect(at('2023-06-05')).toBeCloseTo(0);
  });
});
