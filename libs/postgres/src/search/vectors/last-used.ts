/** LRU cache. */
export class LastUsed<T> {
  private readonly values = new Map<string, { readonly value: T; readonly size: number }>();
  private total = 0;

  /**
   * @param most entries
   * @param mostSize sum of the entries' sizes; the one used last stays whatever its size
   */
  constructor(
    private readonly most: number,
    private readonly mostSize = Infinity,
  ) {}

  get(key: string): T | undefined {
    const entry = this.values.get(key);
    if (entry !== undefined) {
      this.values.delete(key);
      this.values.set(key, entry);
    }
    return entry?.value;
  }

  set(key: string, value: T, size = 0): void {
    this.delete(key);
    this.values.set(key, { value, size });
    this.total += size;
    for (const oldest of this.values.keys()) {
      if (oldest === key || (this.values.size <= this.most && this.total <= this.mostSize)) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.total -= this.values.get(key)?.size ?? 0;
    this.values.delete(key);
  }
}
