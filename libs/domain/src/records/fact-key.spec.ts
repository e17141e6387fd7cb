import { describe, expect, it } from 'vitest';
import { factKey } from './fact-key.js';

describe('factKey', () => {
  it('ignores case, punctuation and spacing, and nothing else', () => {
    expect(factKey('User  likes “Tea”!')).toBe(factKey('user likes tea'));
    expect(factKey('User likes tea')).not.toBe(factKey('User likes teas'));
  });
});
