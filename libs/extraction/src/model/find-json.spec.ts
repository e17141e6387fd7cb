import { describe, expect, it } from 'vitest';
import { findJson } from './find-json.js';

describe('findJson', () => {
  it.each([
    ['bare', '{"facts":[]}', { facts: [] }],
    ['white space', '\n {"facts": [1]} \n', { facts: [1] }],
    ['a fence', '```json\n{"facts":[1]}\n```', { facts: [1] }],
    ['a fenced array', '```\n[1]\n```', [1]],
    ['prose with braces', 'Here {you} go: {"facts":[1]} {bye}', { facts: [1] }],
    ['trailing commas', '{"facts":[1,],}', { facts: [1] }],
    ['a bare array with a trailing comma', '[{"text":"a"},]', [{ text: 'a' }]],
    ['line breaks within texts', '{"facts":["a\nb\tc"]}', { facts: ['a b c'] }],
    ['JSON within a text', JSON.stringify('{"facts":[1]}'), { facts: [1] }],
    ['commas within texts', '{"facts":["a,]",]}', { facts: ['a,]'] }],
    ['brackets within texts', 'So: {"facts":["}]\\"}"]} done', { facts: ['}]"}'] }],
    ['the last of several', '{"facts":[1]} no wait {"facts":[2]}', { facts: [2] }],
    ['a whole one before a broken one', '{"facts":[1]} and {"facts":[', { facts: [1] }],
  ])('finds %s', (_, text, value) => {
    expect(findJson(text)).toEqual({ kind: 'found', value });
  });

  it.each(['{"facts":[{"text":"a', '```json\n{"facts": [', 'ok {"facts":["a"]'])(
    'detects that %j is truncated',
    (text) => {
      expect(findJson(text)).toEqual({ kind: 'truncated' });
    },
  );

  it.each(['', 'no', '{facts: []}', '{"memories": [', '[1, 2'])('finds nothing in %j', (text) => {
    expect(findJson(text)).toEqual({ kind: 'none' });
  });

  it.each([
    '{"facts":[',
    '{ ',
    '{',
    ' ',
    '\n',
    '```json ',
    '``` [',
    '`',
    '"',
    ', ',
    ',]',
    '{"facts" ',
    '{"facts":"\\',
    '{"facts":[1],} ',
    '{"summary":{"facts":[ ',
    '\u00a0',
  ])('takes linear time: %j', (unit) => {
    const cpuMs = (length: number): number => {
      const text = `{"facts":[${unit.repeat(length)}`.slice(0, length);
      const start = process.cpuUsage();
      findJson(text);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000;
    };
    cpuMs(100_000);
    // A quadratic scan of a million characters would take minutes.
    expect(cpuMs(1_000_000)).toBeLessThan(2_000);
  });
});
