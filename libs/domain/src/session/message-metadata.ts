import type { MessageAppended } from './session-events.js';

type Metadata = MessageAppended['metadata'];

/** Metadata fields with a caption of an attached picture. */
const CAPTIONS = ['imageCaption', 'caption', 'imageDescription'] as const;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/** The speaker's name as given by the client; null if there is none. */
export const speakerIn = (metadata: Metadata): string | null =>
  textOf(metadata?.['speaker']) ?? textOf(metadata?.['user']);

/** Captions of the pictures that came with the message. */
export const captionsIn = (metadata: Metadata): readonly string[] =>
  CAPTIONS.flatMap((name) => textOf(metadata?.[name]) ?? []);
