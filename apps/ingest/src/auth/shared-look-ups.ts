import { setTimeout as pause } from 'node:timers/promises';
import type { ApiKey, KeyStore } from '@turnkeeper/application';

/** Look-ups of this period share a statement. */
const PERIOD_MS = 100;

interface Batch {
  readonly keyIds: Set<string>;
  readonly found: Promise<ReadonlyMap<string, ApiKey>>;
}

/**
 * Finds keys with at most one statement at a time and per period, however many are looked up: guessed keys cost the
 * database almost nothing, and every valid key is found.
 */
export class SharedLookUps {
  private next: Batch | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly keys: Pick<KeyStore, 'findAll'>,
    private readonly pausing: (ms: number) => Promise<unknown> = (ms) => pause(ms),
  ) {}

  /** The key as stored after this call. */
  async find(keyId: string): Promise<ApiKey | null> {
    this.next ??= this.open();
    const { keyIds, found } = this.next;
    keyIds.add(keyId);
    return (await found).get(keyId) ?? null;
  }

  private open(): Batch {
    const keyIds = new Set<string>();
    const found = Promise.allSettled([this.last, this.pausing(PERIOD_MS)]).then(async () => {
      this.next = null;
      const keys = await this.keys.findAll([...keyIds]);
      return new Map(keys.map((key) => [key.keyId, key]));
    });
    this.last = found;
    return { keyIds, found };
  }
}
