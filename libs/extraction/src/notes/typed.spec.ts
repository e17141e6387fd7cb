import { describe, expect, it } from 'vitest';
import { DE } from './languages/de.js';
import { EN } from './languages/en.js';
import { ES } from './languages/es.js';
import type { Lexicon } from './languages/lexicon.js';
import { VI } from './languages/vi.js';
import { ZH } from './languages/zh.js';
import { typedIn } from './typed.js';

const AT = '2026-03-04T12:00:00Z';

const typed = (lexicon: Lexicon, question: string, text: string): string[] =>
  typedIn([{ text, start: 0, end: text.length }], question === '' ? [] : [question], AT, lexicon, false).map(
    ({ attribute: { name, value, single }, subject }) =>
      `${subject === null ? '' : `${subject}: `}${name}=${value}${single ? '' : ' (one of several)'}`,
  );

describe('a typed value', () => {
  it.each([
    ['What is your phone number?', 'it is 020 7946 0018', ['phone_number=02079460018']],
    ['', 'you can reach me at +44 20 7946 0018', ['phone_number=+442079460018']],
    ['', 'my email is ana.k@fastpost.co', ['email=ana.k@fastpost.co']],
    ['What is the amount?', '1,280 dollars', ['amount=1,280 dollars (one of several)']],
    ['What day suits you?', 'next Thursday', ['date=2026-03-12 (one of several)']],
    ['A table for 2 people at noon?', 'Reserve for 12.', []],
    ['A table for 2 people at noon?', 'No, for 3.', ['party_size=3 (one of several)']],
    ['At what time?', 'at 4 pm', ['time=16:00 (one of several)']],
    ['What is your date of birth?', '14 July 1990', ['date_of_birth=1990-07-14']],
    ['What is your zip code?', '90210', ['postcode=90210']],
    ['Can I have your full name?', 'sure, Petra Lindqvist', ['name=Petra Lindqvist']],
    ['What is your home address?', '14 Mill Lane, second floor', ['address=14 Mill Lane, second floor']],
    ['', 'I moved to Hue last month.', ['home=Hue']],
    ['', 'i live in hue', ['home=hue']],
    [
      '',
      'my policy number is N G 4 4 7 and my phone is 020 7946 0018',
      ['policy_number=NG447', 'phone_number=02079460018'],
    ],
  ])('after %j: %j', (question, text, expected) => {
    expect(typed(EN, question, text)).toEqual(expected);
  });

  it.each([
    [
      'a second phone',
      'What is your phone number?',
      'another one is 020 7946 0018',
      'phone_number=02079460018 (one of several)',
    ],
    ['an old address', '', 'my old email was ana@fastpost.co', 'email=ana@fastpost.co (one of several)'],
    ['a relative', '', "my brother's phone number is 020 7946 0018", 'my brother: phone_number=02079460018'],
    ['a correction of what may stand side by side', '', 'sorry, the order number is 44718', 'order_number=44718'],
  ])('that is of %s does not stand for the own current one, or says so', (_, question, text, expected) => {
    expect(typed(EN, question, text)).toEqual([expected]);
  });

  it.each([
    ['What is the problem?', 'the screen flickers'],
    ['What is the name of your dog?', 'Rex'],
    ['What is your company name?', 'Amsel Optics'],
    ['What made you choose it?', 'the quiet street'],
    ['What time?', 'half past four'],
    ['What time should I set it for?', 'It will be for 5:20 in the evening and please call it Oven.'],
    ['', 'I live in Hanoi during the week'],
    ['', 'I live in a small flat'],
    ['', 'her phone number is 020 7946 0018'],
    ['', 'we have a baby, his name is Nils'],
    ['', 'the parts were manufactured in 2016'],
    ['What is your account number?', '4471 or 4472, I am not sure'],
  ])('is not certain after %j in %j', (question, text) => {
    expect(typed(EN, question, text)).toEqual([]);
  });

  it.each([
    [ES, '', 'Me llamo María del Mar Ruiz', 'name=María del Mar Ruiz'],
    [ES, '', 'mi nuevo teléfono es 654 33 12 87', 'phone_number=654331287'],
    [ES, '¿Para cuántas personas?', 'para cuatro', 'party_size=4 (one of several)'],
    [DE, '', 'meine Kundennummer ist 4 4 7 1 2', 'customer_number=44712'],
    [DE, '', 'die Handynummer von meiner Frau ist 0151 2345678', 'meiner frau: phone_number=01512345678'],
    [VI, 'Anh đi mấy người ạ?', 'ba người', 'party_size=3 (one of several)'],
    [VI, '', 'Tôi sống ở Huế.', 'home=Huế'],
    [ZH, '', '我的电话是13800138000', 'phone_number=13800138000'],
    [ZH, '', '我住在杭州。', 'home=杭州'],
  ])('%#: is read in every language', (lexicon, question, text, expected) => {
    expect(typed(lexicon, question, text)).toEqual([expected]);
  });
});
