import { describe, expect, it } from 'vitest';
import { admitted, fact, knownRecord, message, run } from '../testing/admission.js';
import type { Candidate } from './candidate.js';

describe('what cannot be verified', () => {
  const doubtsOf = (text: string, said: string, more: Partial<Candidate> = {}) => {
    const admission = run([{ ...fact(text, 'x', said), ...more }], [], [message('x', said)]);
    return admission.records[0]?.doubts ?? admission.refused[0]?.reason ?? 'none';
  };

  it.each([
    ['Rent is 1200 euros.', 'my rent is 1,200 euros'],
    ['Number is NG44712.', 'it is 4 4 7 1 2'],
    ['Number is 4 4 7 1 2.', 'it is 44712'],
    ['Ends in 4 7 1 2.', 'it is 44712'],
    ['Has 2 cats, 3 dogs, 4 birds and 5 fish.', '2 cats, 3 dogs, then 4 birds, and 5 fish'],
    ['Number is 0170 5551234.', '0 1 7 0, 5 5 5, 1 2 3 4'],
    ['Was born in 1985.', "I was born in '85"],
    ['Is 12.', '我今年１２岁'],
    ['Is 12.', 'عمري ١٢ سنة'],
    ['Moved on 8/05/2023.', 'I moved today'],
    ['Eats at 19:30.', 'we eat at 7.30'],
    ['Moved to New York City.', 'we moved to nyc'],
    ['Works for NYC.', 'I work for n y c'],
    ['Speaks Español at home.', 'we speak espanol'],
    ['Session with User and Agent. They spoke.', 'we spoke'],
  ])('"%s" follows from "%s"', (text, said) => expect(doubtsOf(text, said)).toBe('none'));

  it('is proven by the time of the event', () => {
    const eventTime = { from: '2023-05-20', to: '2023-05-21' };
    expect(doubtsOf('Travels 20-21/05/2023.', 'I travel in a fortnight', { eventTime })).toBe('none');
  });

  it('is no date that stands in another message', () => {
    const window = [message('y', 'See you on 2023-06-21.', 1), message('x', 'Remind me by text', 2)];
    const doubts = (text: string) => run([fact(text, 'x', 'Remind me by text')], [], window).records[0]?.doubts;
    expect(doubts('Wants a reminder of 2023-06-21 by text.')).toBeUndefined();
    expect(doubts('Wants a reminder of 2023-06-22 by text.')).toEqual(['number_not_in_source']);
    expect(doubts('Wants a reminder of 21 visits by text.')).toEqual(['number_not_in_source']);
  });

  it.each([
    ['Has 3 brothers.', 'I have two brothers', ['number_not_in_source']],
    ['Eats at 19:30.', 'we eat at 8.30', ['number_not_in_source']],
    ['Has 19 cats.', 'we have 7 cats', ['number_not_in_source']],
    ['Pays 360 euros a year.', 'I pay 30 euros a month', ['number_not_in_source']],
    ['Lives with Bob in a flat of Anna.', 'I live with Bob', ['name_not_in_source']],
  ])('"%s" from "%s" is kept, and marked', (text, said, doubts) => expect(doubtsOf(text, said)).toEqual(doubts));

  it.each([
    ['Is 54.', 'I am 45'],
    ['Has 3 brothers.', 'I have 2 brothers'],
    ['Number is 44721.', 'it is 44712'],
    ['Number is 7 4 1 2.', 'it is 7 7 4 1 1 2'],
    ['Number is 7-4-1-2.', 'it is 774112'],
    ['Number is 7412.', 'it is 7 7 4 1 1 2'],
    ['Policy is N G 4 4 1 2 B.', 'it is N G 4 4 7 1 2 B'],
    ['Policy is NG44721B.', 'it is N G 4 4 7 1 2 B'],
  ])('"%s" is refused if the quote has another number: "%s"', (text, said) =>
    expect(doubtsOf(text, said)).toBe('number_contradicts_source'),
  );

  it('is a name that stands nowhere: not in the window, its context, the listed records or the speakers', () => {
    const [listed] = [{ recordId: 'k', text: 'User has a dog called Rex.' }];
    const window = [{ ...message('x', 'He likes tea.', 2), speaker: 'Linh' }];
    const before = [message('c', 'Bob came along.', 1)];
    const doubts = (text: string, shown: string[]) =>
      admitted({
        candidates: [fact(text, 'x', 'He likes tea')],
        window,
        context: before,
        known: [knownRecord(listed!)],
        summary: 'Zoe called.',
        shown,
        namespace: '/',
        newId: String,
      }).records[0]?.doubts;
    expect(doubts('Tea is what they like best, I mean Bob and Linh and Rex and Zoe.', ['k'])).toBeUndefined();
    expect(doubts('Tea is what they like best, I mean Bob and Linh and Rex.', [])).toEqual(['name_not_in_source']);
  });

  it('is asked of a reader of words where digits do not settle it', () => {
    const readNumbers = (text: string) => ({
      numbers: text.includes('eighty one') || text.includes('81') ? ['81'] : [],
      also: [],
      days: [],
      dates: [],
    });
    const window = [message('x', 'I am eighty one')];
    const candidates = [fact('Is 81.', 'x', 'I am eighty one')];
    const input = { candidates, window, known: [], namespace: '/', newId: String };
    expect(admitted(input).records[0]?.doubts).toEqual(['number_not_in_source']);
    expect(admitted({ ...input, readNumbers }).records[0]?.doubts).toBeUndefined();
  });

  it('takes time linear in the length of the text', { timeout: 60_000 }, () => {
    const started = process.cpuUsage();
    for (const unit of ['1,', '1 ', 'A ', "A's ", 'may 1 ', '2026-01-', '(A "B ']) {
      const said = message('x', unit.repeat(50_000));
      const candidates = Array.from({ length: 5 }, (_, n) =>
        fact(`${n} ${unit.repeat(8_000).slice(0, 15_000)}`, 'x', unit.repeat(40_000)),
      );
      admitted({ candidates, window: [said], known: [], namespace: '/', newId: String });
    }
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(10_000);
  });
});
