import { randomUUID } from 'node:crypto';
import type { LogReference, ReferenceReader } from '@turnkeeper/application';

/** A log of references with dense positions. */
export class InMemoryReferenceLog implements ReferenceReader {
  readonly references: LogReference[] = [];
  private readonly expired = new Set<number>();

  /** Appends events of one memory and returns them. */
  append(memoryId: string, count = 1, tenantId = '00000000-0000-4000-8000-000000000001'): LogReference[] {
    const appended = Array.from({ length: count }, (_, i): LogReference => {
      const position = this.references.length + 1 + i;
      return {
        tenantId,
        memoryId,
        position,
        eventId: randomUUID(),
        type: 'message.appended',
        sessionKey: 1,
        sequence: position,
      };
    });
    this.references.push(...appended);
    return appended;
  }

  /** Hides these positions from all later reads. */
  expire(positions: readonly number[]): void {
    for (const position of positions) this.expired.add(position);
  }

  get head(): number {
    return this.references.length;
  }

  async positionSince(): Promise<number> {
    return 1;
  }

  async readReferences(after: number, limit: number): Promise<LogReference[]> {
    return this.references
      .slice(after)
      .filter(({ position }) => !this.expired.has(position))
      .slice(0, limit);
  }
}
