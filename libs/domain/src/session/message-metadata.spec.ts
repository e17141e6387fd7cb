import { describe, expect, it } from 'vitest';
import { captionsIn, speakerIn } from './message-metadata.js';

describe('the metadata of a message', () => {
  it.each([
    [{ speaker: 'Ana', user: 'user123' }, 'Ana'],
    [{ user: 'user123' }, null],
    [{ user: 'user_7' }, null],
    [{ user: '2c9d1f7e-61b4-4a0e-9c35-7be1a0d4f682' }, null],
    [{ speaker: ' Ana\u0000 ' }, 'Ana'],
    [{ speaker: ' ', user: 'user123' }, null],
    [{ speaker: 5 }, null],
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
