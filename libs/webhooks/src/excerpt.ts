import type { Readable } from 'node:stream';

/**
 * Reads the start of a response body for display. A body within the limit leaves the connection reusable; a longer one
 * closes it. A broken or slow body returns what was received.
 *
 * @param maxBytes maximum number of bytes to read
 * @param length maximum number of characters to return
 */
export const readExcerpt = async (
  body: Readable,
  { maxBytes, length }: { readonly maxBytes: number; readonly length: number },
): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > maxBytes) break; // leaving the loop destroys the stream
    }
  } catch {
    // The status has been received and decides; the body is for display only.
  }
  const text = Buffer.concat(chunks).toString('utf8').trim();
  return [...text.replace(/[^\P{Cc}\n\t]/gu, ' ')].slice(0, length).join('');
};
