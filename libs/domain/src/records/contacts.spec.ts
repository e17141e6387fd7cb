import { describe, expect, it } from 'vitest';
import { holdsContact, withoutContacts } from './contacts.js';

describe('contact details', () => {
  it.each([
    ['Write to linh.tran+work@mail.example.com.', 'Write to ….'],
    ['Call +84 912 345 678 after six.', 'Call … after six.'],
    ['My number is 0912.345.678.', 'My number is ….'],
    ['Reach me at (415) 555-0132.', 'Reach me at ….'],
    ['Mail jörg@bücher.example', 'Mail …'],
    ['SĐT của tôi là 0912345678', 'SĐT của tôi là …'],
    ['Call 0912345678 0987654321.', 'Call … ….'],
    ['Call 0912 345 678 0987 654 321 today.', 'Call … … today.'],
    ['Call 0912 345 678 / 0987 654 321.', 'Call … / ….'],
    ['Call +84 912 345 012 or +84 987 654 321.', 'Call … or ….'],
    ['(415) 555-0132 (415) 555-0199', '… …'],
    ['Call 030/1234567 in Berlin.', 'Call … in Berlin.'],
    ['Call 06/12/34/56/78.', 'Call ….'],
    ['Call 0912–345–678.', 'Call ….'],
    ['Call 0912\u00a0345\u00a0678.', 'Call ….'],
    ['Since 12.04.2019 on 0912345678.', 'Since 12.04.2019 on ….'],
    ['12/04/2019 0912345678', '12/04/2019 …'],
    ['電話は０９１２－３４５－６７８です。', '電話は…です。'],
    ['Write to ｌｉｎｈ＠ｅｘａｍｐｌｅ．ｃｏｍ now.', 'Write to … now.'],
  ])('are found in %s', (text, rest) => {
    expect(holdsContact(text)).toBe(true);
    expect(withoutContacts(text)).toBe(rest);
  });

  it.each([
    'Born on 1990-04-12.',
    'Moved on 12.04.2019.',
    'Worked there 2015-2019.',
    'Paid 1,250,000 for it.',
    'Order 4512, gate 17.',
    'Follows @linh on the site.',
    'Ran 42.195 km.',
    'Married (2016-05-12).',
    'Studied there (2015-2019).',
    'Due 2026-05-12 10:30.',
    'At 52.520008 degrees.',
    'Paid 10 000 000 VND.',
    'Paid 1.250.000.000 VND.',
    'Due 12/04/2019 10:30.',
    'Away 10/05 - 12/05.',
    'Worked there 2015–2019.',
    'Worked there 2015/2019.',
    'Worked there 05/2015–07/2019.',
    'Champion in 2015 2016 2017.',
    'Read pages 1000–2000.',
    'At 52.520008 13.404954 degrees.',
    'Order 4111 1111 1111 1112 arrived.',
    'Paid １０ ０００ ０００.',
  ])('are not found in %s', (text) => expect(holdsContact(text)).toBe(false));

  it('are found in linear time', () => {
    const started = process.cpuUsage();
    for (const text of [
      '1 '.repeat(50_000),
      '12345678 '.repeat(10_000),
      '1/'.repeat(50_000),
      '1 (((( '.repeat(20_000),
      'a.'.repeat(50_000),
      `${'a'.repeat(50_000)}@`,
    ])
      holdsContact(text);
    const { user } = process.cpuUsage(started);
    expect(user).toBeLessThan(1_000_000);
  });
});
