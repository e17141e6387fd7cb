import type { Readable } from 'node:stream';

/**
 * Reads the start of an answer for people to see. An answer that ends within the limit leaves its connection fit for
 * the next attempt; a longer one is cut off, connection and all. One that breaks or dawdles gives what had come.
 *
 * @param maxBytes bytes to read at most
 * @param length characters to keep
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
    // The status has come and decides; the body is for people only.
  }
  const text = Buffer.concat(chunks).toString('utf8').trim();
  return [...text.replace(/[^\P{Cc}\n\t]/gu, ' ')].slice(0, length).join('');
};
