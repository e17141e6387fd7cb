import {
  checkAppendRequest,
  LogUnavailable,
  type AppendRequest,
  type Appended,
  type StagedAppend,
  type Transaction,
} from '@turnkeeper/application';
import { DomainError } from '@turnkeeper/domain';
import { decodeAnswer, encodeBatch, type AppendRow, type Judged } from './append-batch.js';
import { encodeRequest, streamOf } from './encode-request.js';
import type { OnHead } from './group-commit-appender.js';
import { failureOf, refusalOf } from './failure.js';

/** Raised by `append_staged` when a request is rejected. The error's detail contains the verdicts. */
const REFUSED = 'TK409';

/**
 * Appends at the end of a transaction. All data is in the database before the statement that takes the head is sent.
 */
export class PgStagedAppend implements StagedAppend {
  constructor(private readonly onHead?: OnHead) {}

  readonly statement = 'select append_staged() as answer';

  async stage(tx: Transaction, requests: readonly AppendRequest[], recordedAt: string | null): Promise<void> {
    requests.forEach(checkAppendRequest);
    const staged = encodeBatch(
      requests.map((request) => encodeRequest(request)),
      true,
      recordedAt,
    );
    // Selects the length: `set_config` alone would send the whole value back.
    await tx.query(`select octet_length(set_config('turnkeeper.staged_append', $1::text[]::text, true))`, [staged]);
  }

  answersOf(requests: readonly AppendRequest[], row: unknown, tookMs: number): readonly Appended[] {
    const { waited } = (row as AppendRow).answer;
    this.onHead?.({ waitedMs: waited, heldMs: Math.max(0, tookMs - waited) });
    return outcomesOf(requests, row as AppendRow) as readonly Appended[];
  }

  repeatsOf(requests: readonly AppendRequest[], error: unknown): readonly (Appended | null)[] {
    const { code, detail } = error as { code?: unknown; detail?: string };
    if (code !== REFUSED) throw transientAsUnavailable(refusalOf(error));
    const outcomes = outcomesOf(requests, { answer: JSON.parse(detail ?? '') as Judged });
    return outcomes.map((outcome) => {
      if (outcome instanceof DomainError) throw outcome;
      return outcome;
    });
  }
}

const outcomesOf = (requests: readonly AppendRequest[], row: AppendRow) =>
  decodeAnswer(
    requests.map((request) => ({ request, stream: streamOf(request) })),
    row,
  );

const transientAsUnavailable = (error: unknown): unknown =>
  error instanceof DomainError || failureOf(error) === 'faulty'
    ? error
    : new LogUnavailable('The database did not take the append.', { cause: error });
