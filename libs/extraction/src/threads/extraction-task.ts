import { ExtractionFailed, type ExtractionInput, type RawAnswer, type ReadAnswer } from '@turnkeeper/application';
import { readAnswer } from '../model/read-facts.js';
import { NotesExtractor } from '../notes/notes-extractor.js';

/** Work whose duration depends on input from a tenant or a model. Plain data, because it is sent to a worker thread. */
export type ExtractionTask =
  | { readonly kind: 'take notes'; readonly input: ExtractionInput }
  | { readonly kind: 'read answer'; readonly input: ExtractionInput; readonly rawAnswer: string };

/** A task, and where its thread notes that it has begun (`noteBegin`). */
export interface TimedTask {
  readonly task: ExtractionTask;
  readonly clock: SharedArrayBuffer;
}

/** An `ExtractionFailed` loses its class when it crosses threads. */
export type ExtractionTaskResult<T = RawAnswer | ReadAnswer> =
  | { readonly done: T }
  | { readonly failed: { readonly code: string; readonly message: string; readonly rawAnswer: string | null } };

const notes = new NotesExtractor();

export const runTask = (task: ExtractionTask): ExtractionTaskResult => {
  try {
    const done = task.kind === 'take notes' ? notes.apply(task.input) : readAnswer(task.input, task.rawAnswer);
    return { done };
  } catch (error) {
    if (!(error instanceof ExtractionFailed)) throw error;
    const { code, message, rawAnswer } = error;
    return { failed: { code, message, rawAnswer } };
  }
};
