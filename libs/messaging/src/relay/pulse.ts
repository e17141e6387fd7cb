/** Lets one waiter sleep until something happens or a time has passed. A pulse while nobody waits is not lost. */
export class Pulse {
  private pending = false;
  private wake: (() => void) | null = null;

  /** Wakes the waiter, or makes the next wait return at once. */
  fire(): void {
    if (this.wake === null) this.pending = true;
    else this.wake();
  }

  async wait(ms: number): Promise<void> {
    if (this.pending || ms <= 0) {
      this.pending = false;
      return;
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.wake?.(), ms);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = null;
        resolve();
      };
    });
  }
}
