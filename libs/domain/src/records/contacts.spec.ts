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
  ])('are not found in %s', (text) => expect(holdsContact(text)).toBe(false));

  it('are found in linear time', () => {
    const started = process.cpuUsage();
    for (const text of ['1 '.repeat(50_000), 'a.'.repeat(50_000), `${'a'.repeat(50_000)}@`]) holdsContact(text);
    const { user } = process.cpuUsage(started);
    expect(user).toBeLessThan(1_000_000);
  });
});
