/** Which limit is exhausted: the process's or this owner's. */
export type Refusal = 'server' | 'owner';

/**
 * Bounds the request body bytes that this process buffers, in total and per owner. Excess requests are rejected, so
 * that slow or large bodies cannot fill the memory, and one tenant cannot lock out the others.
 */
export class BodyBudget {
  private total = 0;
  private readonly byOwner = new Map<string, number>();

  constructor(
    private readonly mostInAll: number,
    private readonly mostPerOwner: number,
  ) {}

  /** Bytes held now. */
  get held(): number {
    return this.total;
  }

  /** Null if this many more bytes fit. Reserves nothing. */
  refusalOf(owner: string, bytes: number): Refusal | null {
    if ((this.byOwner.get(owner) ?? 0) + bytes > this.mostPerOwner) return 'owner';
    return this.total + bytes > this.mostInAll ? 'server' : null;
  }

  /** Reserves this many bytes, or returns which limit is exhausted. */
  take(owner: string, bytes: number): Refusal | null {
    const refusal = this.refusalOf(owner, bytes);
    if (refusal !== null) return refusal;
    this.total += bytes;
    this.byOwner.set(owner, (this.byOwner.get(owner) ?? 0) + bytes);
    return null;
  }

  give(owner: string, bytes: number): void {
    this.total -= bytes;
    const left = (this.byOwner.get(owner) ?? 0) - bytes;
    if (left > 0) this.byOwner.set(owner, left);
    else this.byOwner.delete(owner);
  }
}
