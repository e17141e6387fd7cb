import type { EpisodeInput } from '../episodes/dated-episode.js';
import { describe, expect, it } from 'vitest';
import { episodeIn } from './digest.js';

const episode = (...said: readonly (readonly [role: string, content: string])[]): string => {
  const messages = said.map(([role, content], index) => ({
    ...{ eventId: `e${index}`, sequence: index + 1, role, content, speaker: null, source: null },
    at: '2026-03-04T12:00:00Z',
  }));
  const input: EpisodeInput = { context: [], messages };
  return episodeIn(input)[0]?.text ?? '';
};
const REQUEST = ['user', 'Could you reserve two kayaks for my sister?'] as const;

describe('an episode in quotes', () => {
  it('calls a request open if no reply followed', () => {
    expect(episode(['assistant', 'Welcome back.'], REQUEST)).toContain(
      'Left open: "Could you reserve two kayaks for my sister?"',
    );
  });

  it('does not call a request open that was answered before the user took leave', () => {
    const text = episode(REQUEST, ['assistant', 'They are reserved for seven.'], ['user', 'Great, thanks.']);
    expect(text).toContain('Asked for: "Could you reserve two kayaks for my sister?"');
    expect(text).not.toContain('Left open');
  });
});
