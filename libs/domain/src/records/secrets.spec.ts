import { describe, expect, it } from 'vitest';
import { holdsSecret } from './secrets.js';

describe('a secret', () => {
  it.each([
    'My card number is 4111 1111 1111 1111.',
    'My password is hunter2goose.',
    'my passcode is 998877',
    'My PIN is 4821',
    'My CVV is 912.',
    'My API key is sk-abc123def456ghi789jkl012.',
    'I got the code 553201 by text',
    'My social security number is 078-05-1120.',
    'Pay to DE89 3704 0044 0532 0130 00',
    'Mật khẩu của mình là abc123',
  ])('is in %s', (text) => {
    expect(holdsSecret(text)).toBe(true);
  });

  it.each([
    'My order number is 48213.',
    'User forgot their password.',
    'My phone number is +84 912 345 678.',
    'I was born on 14 July 1990.',
    'Order 4111 1111 1111 1112 arrived.',
  ])('is not in %s', (text) => {
    expect(holdsSecret(text)).toBe(false);
  });
});
