import type { MessageAppended } from './session-events.js';

type Metadata = MessageAppended['metadata'];

/** Metadata fields with a caption of an attached picture. */
const CAPTIONS = ['imageCaption', 'caption', 'imageDescription'] as const;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/**
 * The speaker's name as given by the client in `speaker`, else in `user`; null if there is none. A blank `speaker` says
 * that there is none: `user` is often an id, and the index of turns, which must not change, has no name either.
 */
export const speakerIn = (metadata: Metadata): string | null => {
  const given = [metadata?.['speaker'], metadata?.['user']].find((value) => typeof value === 'string');
  const name = given?.replaceAll('\u0000', '').toWellFormed().trim() ?? '';
  return name === '' ? null : name;
};

/** Captions of the pictures that came with the message. */
export const captionsIn = (metadata: Metadata): readonly string[] =>
  CAPTIONS.flatMap((name) => textOf(metadata?.[name]) ?? []);
