/** Says who has no room left: the process, or this one owner. */
export type Refusal = 'server' | 'owner';

/**
 * How many bytes of request bodies this process holds at the same time, in all and for each owner. What is beyond is
 * refused, so that slow or many large bodies cannot fill the memory, and one tenant's cannot keep the others' out.
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

  /** Null when so many more bytes fit. Takes nothing. */
  refusalOf(owner: string, bytes: number): Refusal | null {
    if ((this.byOwner.get(owner) ?? 0) + bytes > this.mostPerOwner) return 'owner';
    return this.total + bytes > this.mostInAll ? 'server' : null;
  }

  /** Takes so many bytes, or says who has no room for them. */
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
