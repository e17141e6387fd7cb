import type { PublishedLog, RelayCursor, RelayLease, StreamMark } from '@turnkeeper/application';

/** The relay's cursor without a database. `loseLease` simulates a broken connection of the leader. */
export class InMemoryRelayCursor implements RelayCursor, PublishedLog {
  stored = 0;
  private readonly ends: number[] = [];
  private kept: StreamMark | null = null;
  private holder: { lose: () => void } | null = null;

  async lead(): Promise<RelayLease | null> {
    if (this.holder !== null) return null;
    let lose = (): void => undefined;
    const lost = new Promise<void>((resolve) => (lose = resolve));
    const mine = { lose };
    this.holder = mine;
    return {
      position: this.stored,
      lost,
      advance: async (position, pageEnds = []) => {
        if (this.holder !== mine) throw new Error('The lease is lost.');
        if (position > this.stored) this.ends.push(...pageEnds);
        this.stored = Math.max(this.stored, position);
      },
      release: async () => {
        if (this.holder === mine) this.holder = null;
      },
    };
  }

  async position(): Promise<number> {
    return this.stored;
  }

  async pageEnds(after: number, through: number): Promise<readonly number[]> {
    return this.ends.filter((end) => end > after && end <= through);
  }

  async mark(): Promise<StreamMark | null> {
    return this.kept;
  }

  async setMark(mark: StreamMark): Promise<void> {
    this.kept = mark;
  }

  loseLease(): void {
    const holder = this.holder;
    this.holder = null;
    holder?.lose();
  }
}
