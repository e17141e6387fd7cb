/**
 * Content and secrets that this run has sent or received. No process may print any of it, because an erasure cannot
 * reach logs; and neither the stream nor the queue may hold it, because they hold references only.
 */
const planted = new Set<string>();
/** Maximum number of markers, newest first: each is searched for in all output of every process. */
const MAX_PLANTED = 400;
/** Shorter texts occur in logs by chance. */
const SHORTEST = 16;
/** The beginning of a long text is enough. */
const LONGEST = 60;

/** Fields whose value is content or a secret, wherever they occur in a body. */
const TELLING = new Set([
  ...[
    'message',
    'content',
    'memory',
    'query',
    'binaryData',
    'customFactExtractionPrompt',
    'secret',
    'apiKey',
    'original',
  ],
  ...['Text', 'PlayedText', 'Content'],
]);

export const plant = (marker: string): void => {
  if (marker.length < SHORTEST) return;
  planted.delete(marker.slice(0, LONGEST));
  planted.add(marker.slice(0, LONGEST));
  for (const oldest of planted) {
    if (planted.size <= MAX_PLANTED) break;
    planted.delete(oldest);
  }
};

/** Ids of sessions in the paths of requests. Logs name sessions by them, so a text that is also such an id is no marker. */
const ids = new Set<string>();

export const plantPath = (path: string): void => {
  const [, id] = /\/sessions\/([^/?]+)/.exec(path) ?? [];
  if (id === undefined) return;
  try {
    ids.add(decodeURIComponent(id).slice(0, LONGEST));
  } catch {
    // A malformed path is refused, and reaches no log.
  }
};

/** Plants the content and secrets of a body, sent or received. Bodies with thousands of values are sampled. */
export const plantFrom = (body: unknown, depth = 0): void => {
  if (typeof body !== 'object' || body === null || depth > 6) return;
  if (Array.isArray(body)) {
    for (const item of body.slice(0, 5)) plantFrom(item, depth + 1);
    return;
  }
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string' && TELLING.has(name)) plant(value);
    else plantFrom(value, depth + 1);
  }
};

/** Patterns that are secret regardless of their value. */
const FORMS = [/whsec_[A-Za-z0-9+/]{16,}/, /\btk_[0-9a-f]{16}_[0-9a-f]{16,}/, /:\/\/[^/\s"@:]+:[^/\s"@]{6,}@/];

const leaks: string[] = [];

/** Searches the output of a process that has ended. */
export const scanOutput = (process: string, output: string): void => {
  const found = [
    ...[...planted].filter((marker) => !ids.has(marker) && output.includes(marker)),
    ...FORMS.flatMap((form) => form.exec(output)?.[0] ?? []),
  ];
  for (const marker of found) {
    const at = output.indexOf(marker);
    const line = output.slice(output.lastIndexOf('\n', at) + 1, output.indexOf('\n', at) >>> 0);
    leaks.push(`${process} wrote ${JSON.stringify(marker)}: ${line.slice(0, 2_000)}`);
  }
};

/** Returns all findings, and forgets them. */
export const takeLeaks = (): string[] => leaks.splice(0);

/** The next file's texts are its own. */
export const forgetPlanted = (): void => {
  planted.clear();
  ids.clear();
};
