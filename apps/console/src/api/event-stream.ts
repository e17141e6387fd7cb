import { authorization } from './client';
import { ApiProblem, type ProblemBody } from './problem';

/** The server sends a comment every 15 seconds: a longer silence means that the connection is dead. */
const SILENCE_MS = 40_000;

interface StreamOptions {
  readonly path: string;
  /** The last event that is already known; 0 for all. */
  readonly after: number;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  /** Called once per received part of the stream with the ids of the events in it. */
  readonly onEvents: (ids: readonly number[]) => void;
}

/**
 * Follows server-sent events with `fetch`, because `EventSource` cannot send the key. Resolves when the server ends the
 * stream.
 *
 * @throws ApiProblem if the stream is refused
 */
export const followStream = async ({ path, after, signal, onOpen, onEvents }: StreamOptions): Promise<void> => {
  const silence = new AbortController();
  const response = await fetch(path, {
    headers: { ...authorization(), accept: 'text/event-stream', 'last-event-id': String(after) },
    credentials: 'omit',
    signal: AbortSignal.any([signal, silence.signal]),
  });
  if (!response.ok || response.body === null) {
    throw new ApiProblem(response.status, (await response.json().catch(() => ({}))) as ProblemBody);
  }
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    const ids = blocks.flatMap((block) => {
      const id = /^id: (\d+)$/m.exec(block)?.[1];
      return id === undefined ? [] : [Number(id)];
    });
    if (ids.length > 0) onEvents(ids);
  }
};
