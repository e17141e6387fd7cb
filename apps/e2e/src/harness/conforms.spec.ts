import { describe, expect, it } from 'vitest';
import { differences } from './conforms.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const of = (status: number, body: unknown, contentType = JSON_TYPE, path = '/v1/agents?limit=1') =>
  differences('GET', path, { status, contentType, body });

describe('the comparison of responses with the OpenAPI document', () => {
  it('accepts documented responses', () => {
    expect(of(200, { items: [], next: null })).toEqual([]);
    expect(of(200, 'pong', 'text/plain', '/livez')).toEqual([]); // no such path in the document
  });

  it.each([
    ['a field that is missing', of(200, { items: [] })],
    ['a field of another type', of(200, { items: [{}], next: null })],
    ['another status', of(201, { items: [], next: null })],
    ['another type of content', of(200, { items: [], next: null }, 'text/html')],
    ['a refusal without a code', of(404, { title: 'x' }, 'application/problem+json')],
  ])('finds %s', (_, found) => expect(found).not.toEqual([]));
});
