/**
 * The base class of an error that HTTP itself answers, or that is nobody's mistake: `class X extends httpFailure(code, message,
 * statusCode) {}`. Without a status, `problem.ts` says which one its code has.
 */
export const httpFailure = <const Code extends string>(code: Code, message: string, statusCode?: number) =>
  class extends Error {
    readonly code: Code = code;
    readonly statusCode = statusCode;
    constructor(options?: ErrorOptions) {
      super(message, options);
      this.name = new.target.name;
    }
  };
