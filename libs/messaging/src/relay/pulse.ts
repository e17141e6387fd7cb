/** Lets one waiter sleep until a signal or a timeout. A signal before the wait is not lost. */
export class Pulse {
  private pending = false;
  private wake: (() => void) | null = null;

  /** Wakes the waiter, or makes the next wait return immediately. */
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
