import type { RelayCursor, RelayLease } from '@turnkeeper/application';

/** The relay's cursor without a database. `loseLease` is what a broken connection does to the leader. */
export class InMemoryRelayCursor implements RelayCursor {
  stored = 0;
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
      advance: async (position) => {
        if (this.holder !== mine) throw new Error('The lease is lost.');
        this.stored = Math.max(this.stored, position);
      },
      release: async () => {
        if (this.holder === mine) this.holder = null;
      },
    };
  }

  loseLease(): void {
    const holder = this.holder;
    this.holder = null;
    holder?.lose();
  }
}
