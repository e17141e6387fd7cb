/** Which tenants sent a request lately, as far as it takes to tell whether a tenant is the only one. */
export class ActiveTenants {
  /** The two tenants that sent a request most recently, and when. */
  private newest = { tenantId: '', atMs: Number.NEGATIVE_INFINITY };
  private other = this.newest;

  /** @param activeMs how long a tenant counts as active after a request */
  constructor(
    private readonly activeMs: number,
    private readonly monotonicMs: () => number,
  ) {}

  /** Notes a request of a tenant. */
  seen(tenantId: string): void {
    if (tenantId !== this.newest.tenantId) {
      this.other = this.newest;
      this.newest = { tenantId, atMs: this.monotonicMs() };
    } else this.newest.atMs = this.monotonicMs();
  }

  /** Whether another tenant is active. */
  besides(tenantId: string): boolean {
    const { tenantId: found, atMs } = this.newest.tenantId === tenantId ? this.other : this.newest;
    return found !== '' && found !== tenantId && this.monotonicMs() - atMs < this.activeMs;
  }
}
