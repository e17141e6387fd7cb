/**
 * Content and secrets that the journeys of this run have sent or been given. None of it may be read in the output of any
 * process: erasure reaches no log, so nothing personal may reach one either.
 */
const planted = new Set<string>();
/** The newest count: each marker is looked for in all output of every process. */
const MOST = 400;
/** Shorter texts stand in a log by chance. */
const SHORTEST = 16;
/** Of a long text its beginning tells enough. */
const LONGEST = 60;

/** What these fields hold is content or a secret, wherever in a body they stand. */
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
    if (planted.size <= MOST) break;
    planted.delete(oldest);
  }
};

/** Plants the content and the secrets of a body, sent or received. Bodies of thousands are sampled. */
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

/** Forms that are secret whatever their value. */
const FORMS = [/whsec_[A-Za-z0-9+/]{16,}/, /\btk_[0-9a-f]{16}_[0-9a-f]{16,}/, /:\/\/[^/\s"@:]+:[^/\s"@]{6,}@/];

const leaks: string[] = [];

/** Looks through the output of a process that has ended. */
export const scanOutput = (process: string, output: string): void => {
  const found = [
    ...[...planted].filter((marker) => output.includes(marker)),
    ...FORMS.flatMap((form) => form.exec(output)?.[0] ?? []),
  ];
  for (const marker of found) {
    const at = output.indexOf(marker);
    const line = output.slice(output.lastIndexOf('\n', at) + 1, output.indexOf('\n', at) >>> 0);
    leaks.push(`${process} wrote ${JSON.stringify(marker)}: ${line.slice(0, 2_000)}`);
  }
};

/** Everything that was found so far, and forgets it. */
export const takeLeaks = (): string[] => leaks.splice(0);
