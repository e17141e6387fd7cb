/**
 * The base class of an error of the protocol or of this server, not of the request's content: `class X extends httpFailure(code, message,
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
