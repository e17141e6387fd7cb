import { describe, expect, it } from 'vitest';
import { captionsIn, speakerIn } from './message-metadata.js';

describe('the metadata of a message', () => {
  it.each([
    [{ speaker: 'Ana', user: 'u1' }, 'Ana'],
    [{ user: 'u1' }, 'u1'],
    [{ speaker: ' Ana\u0000 ' }, 'Ana'],
    [{ speaker: '', user: 'u1' }, null],
    [{ speaker: ' ', user: 'u1' }, null],
    [{ speaker: 5, user: 'u1' }, 'u1'],
    [{ user: '' }, null],
    [undefined, null],
  ])('names the speaker: %j', (metadata, speaker) => {
    expect(speakerIn(metadata)).toBe(speaker);
  });

  it('holds the captions of pictures', () => {
    expect(captionsIn({ caption: 'a boat', imageCaption: 'a sail', imageDescription: '' })).toEqual([
      'a sail',
      'a boat',
    ]);
    expect(captionsIn({ caption: 5 })).toEqual([]);
    expect(captionsIn(undefined)).toEqual([]);
  });
});
