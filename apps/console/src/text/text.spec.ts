import { describe, expect, it } from 'vitest';
import { en } from './en.js';
import { vi } from './vi.js';
import { zh } from './zh.js';

const valuesIn = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe('the texts', () => {
  it.each([
    ['vi', vi],
    ['zh', zh],
  ])('are complete in %s, with the same values', (_, translated) => {
    const shape = (texts: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, [text === '', ...valuesIn(text)]]));
    expect(shape(translated)).toEqual(shape(en));
  });
});
