/**
 * The base class of an error that ends a piece of work, not a request: `class X extends failure(code, message) {}`. The
 * code is stored and logged.
 */
export const failure = <const Code extends string>(code: Code, message: string) =>
  class extends Error {
    readonly code: Code = code;
    constructor() {
      super(message);
      this.name = new.target.name;
    }
  };
