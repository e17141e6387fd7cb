import { admit } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import { readNumbers } from './read-numbers.js';
import { secrets } from '../secrets/secrets.js';

const AT = '2023-05-08T12:00:00Z'; // a Monday
/** Doubts of a fact, or why it is refused. */
const verdict = (text: string, said: string, eventTime: { from: string; to: string | null } | null = null) => {
  const window = [
    { eventId: 'e', sequence: 1, role: 'user', speaker: null, content: said, at: AT, source: null } as const,
  ];
  const { records, refused } = admit({
    candidates: [{ text, sources: [{ eventId: 'e', quote: said }], eventTime }],
    window,
    known: [],
    namespace: '/',
    secrets,
    newId: String,
    readNumbers,
  });
  return refused[0]?.reason ?? records[0]?.doubts ?? 'proven';
};

describe('numbers in words', () => {
  it.each([
    ['Is 81.', 'I am eighty one'],
    ['Is 81.', 'eighty-one'],
    ['Wants 12 rolls.', 'a dozen rolls please'],
    ['Comes at 16:30.', 'half past four would be good'],
    ['Comes at 16:45.', 'at quarter to five'],
    ['Comes at 4:30 pm.', 'half past four'],
    ['Comes at 15:00.', "three o'clock"],
    ['Policy number is NG44712B.', 'it is n g double four seven one two b'],
    ['Policy number is NG44712B.', 'n g 4 4 7 uh 1 2 b'],
    ['Phone number is 0170 5551234.', 'oh one seven oh, triple five, one two three four'],
    ['Pays 421 euros.', 'four hundred and twenty one euros'],
    ['Pays 2500 dollars.', 'two thousand five hundred dollars'],
    ['Earns 65,000 a year.', 'sixty five thousand a year'],
    ['Earns 65,000 a year.', '65k a year'],
    ['Was born in 1984.', 'nineteen eighty four'],
    ['Has the 20GB plan.', 'the twenty gig one'],
    ['Ist 81.', 'ich bin einundachtzig'],
    ['Termin um 16:30 Uhr.', 'um halb fünf bitte'],
    ['Tiene 45 años.', 'tengo cuarenta y cinco años'],
    ['Viene a las 17:15.', 'a las cinco y cuarto de la tarde'],
    ['Số là 245.', 'hai trăm bốn mươi lăm nhé'],
    ['有23个人。', '二十三个人'],
    ['Lives on floor 3.', 'on the third floor'],
    ['Likes tea.', 'I like tea'],
    ['The gate is 3.5 metres wide.', "the fence is four metres and the gate's three and a half"],
    ['Can come from 9:30.', 'any time after half nine'],
    ['Is free at 14:00.', 'I am free at two'],
    ['Ist von 13:00 bis 15:00 weg.', 'ich bin von eins bis drei weg'],
    ['Zieht vom 28. auf den 27. um.', 'statt am achtundzwanzigsten am siebenundzwanzigsten'],
    ['Wiegt 240 kg und kostet 180 Euro.', 'das wiegt zweihundertvierzig Kilo und kostet hundertachtzig'],
    ['Braucht 2,5 Meter.', 'so zweieinhalb Meter'],
    ['Cuesta 650 euros.', 'son seiscientos cincuenta euros'],
    ['Habite au 92.', 'au quatre-vingt-douze, je pense'],
    ['A 77 ans.', "j'ai soixante-dix-sept ans"],
    ['Tem 35 anos e paga 220 reais.', 'tenho trinta e cinco anos e pago duzentos e vinte'],
    ['Biel tiene una alergia.', 'Biel es alérgico a las nueces'],
    ['Wants the one on the left.', 'I would like the left'],
    ['Không uống được sữa.', 'sữa thì tôi chịu'],
    ['Đặt bàn cho 5 người.', 'cho năm người nhé'],
  ])('%s <= %s', (text, said) => expect(verdict(text, said)).toBe('proven'));

  it.each([
    ['Travels on 20 to 21 May 2023.', 'in a fortnight, over the weekend', { from: '2023-05-20', to: '2023-05-21' }],
    ['Is away in the week of 8 to 14 May 2023.', 'I am away this week', { from: '2023-05-08', to: '2023-05-14' }],
    ['Delivery takes 5 to 7 days, i.e. 13 to 15 May.', 'five to seven days', { from: '2023-05-13', to: '2023-05-15' }],
    ['Comes on 9 May 2023.', 'tomorrow works', null],
    ['Comes on 11 May 2023.', 'on Thursday', null],
    ['Kommt am 9. Mai 2023.', 'morgen ist gut', null],
    ['Viene el 9 de mayo de 2023.', 'mañana está bien', null],
  ])('%s <= %s, with its event time', (text, said, eventTime) => expect(verdict(text, said, eventTime)).toBe('proven'));

  it.each([
    ['Là năm mươi tuổi.', 'tôi bốn mươi tuổi', 'number_contradicts_source'],
    ['Is 54.', 'I am 45', 'number_contradicts_source'],
    ['Is 54.', 'I am forty five', 'number_contradicts_source'],
    ['Has three brothers.', 'I have two brothers', 'number_contradicts_source'],
    ['Is free at 15:00.', 'I am free at two', ['number_not_in_source']],
    ['Zieht am 26. um.', 'am siebenundzwanzigsten', 'number_contradicts_source'],
    ['Habite au 72.', 'au quatre-vingt-douze, je pense', 'number_contradicts_source'],
    ['Policy number is NG44721B.', 'n g double four seven one two b', ['number_not_in_source']],
    ['Moves on 19 June 2023.', 'we move in about ten days', ['number_not_in_source']],
  ])('%s does not follow from: %s', (text, said, reason) => expect(verdict(text, said)).toEqual(reason));

  it('takes time linear in the length of the text', () => {
    const started = process.cpuUsage();
    for (const unit of ['1,', 'one ', 'may 1 ', 'half past ', '2026-01-', 'hundred and ', '一'])
      readNumbers(unit.repeat(50_000), AT);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });
});
