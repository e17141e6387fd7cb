// Preloaded into a process: shifts its clock by this many days, ahead or behind.
const shift = Number(process.env['CLOCK_SHIFT_DAYS']) * 86_400_000;
const Clock = Date;
globalThis.Date = /** @type {any} */ (
  class extends Clock {
    constructor(/** @type {[] | [any]} */ ...parts) {
      if (parts.length === 0) super(Clock.now() + shift);
      else super(...parts);
    }
    static now() {
      return Clock.now() + shift;
    }
  }
);
