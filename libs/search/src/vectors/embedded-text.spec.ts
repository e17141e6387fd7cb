import { describe, expect, it } from 'vitest';
import { embeddedQuestion } from './embedded-text.js';

describe('the text of a question to embed', () => {
  it('is the start and the end of a long one, so that none holds the model for long', () => {
    const text = embeddedQuestion(`My letter to Nora. ${'The harbour was quiet. '.repeat(200)}Where did we meet?`, []);
    expect(text).toMatch(/^My letter to Nora\. .* Where did we meet\?$/u);
    expect(text.length).toBeLessThanOrEqual(251);
  });

  it('is all of a short one, without names of speakers', () => {
    expect(embeddedQuestion("What is Nora's favourite harbour?", ['nora'])).toBe('What is favourite harbour?');
  });
});
