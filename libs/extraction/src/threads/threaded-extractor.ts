import type { ExtractionInput, Extractor, RawAnswer, ReadAnswer } from '@turnkeeper/application';
import { NOTES_VERSION } from '../notes/notes-extractor.js';
import type { ExtractionThreads } from './extraction-threads.js';

/** Notes without a model, taken in worker threads. */
export class ThreadedNotes implements Extractor {
  readonly name = NOTES_VERSION;
  readonly costly = false;

  constructor(
    private readonly notes: Extractor,
    private readonly threads: ExtractionThreads,
  ) {}

  ask(input: ExtractionInput, signal: AbortSignal): Promise<RawAnswer> {
    return this.threads.takeNotes(input, signal);
  }

  /** The notes' own answer has a bounded number of facts, so it is parsed directly. */
  read(input: ExtractionInput, rawAnswer: string, signal: AbortSignal): Promise<ReadAnswer> {
    return this.notes.read(input, rawAnswer, signal);
  }
}

/** A model whose answers are parsed in worker threads. */
export class ThreadedModel implements Extractor {
  readonly costly = true;

  constructor(
    private readonly model: Extractor,
    private readonly threads: ExtractionThreads,
  ) {}

  get name(): string {
    return this.model.name;
  }

  ask(input: ExtractionInput, signal: AbortSignal): Promise<RawAnswer> {
    return this.model.ask(input, signal);
  }

  read(input: ExtractionInput, rawAnswer: string, signal: AbortSignal): Promise<ReadAnswer> {
    return this.threads.readAnswer(input, rawAnswer, signal);
  }
}
