/** The part of an error that is logged. Everything else on an error may contain content or secrets. */
export interface SafeError {
  readonly type: string;
  readonly message: string;
  /** A SQLSTATE, an errno name or one of our codes. */
  readonly code?: string;
  /** Name of the violated database constraint. */
  readonly constraint?: string;
  readonly table?: string;
  readonly status?: number;
  /** Stack frames only: the head of a stack repeats the message. */
  readonly stack?: string;
  readonly cause?: SafeError;
  /** The first of several errors that occurred together. */
  readonly errors?: readonly SafeError[];
}

/** Maximum depth of nested causes. */
const DEEPEST = 4;
const MAX_ERRORS = 3;
/** A longer message probably repeats input. */
const LONGEST_MESSAGE = 300;

/** Secrets to redact in any logged text. The patterns run in linear time, because the text may have any length. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/whsec_[A-Za-z0-9+/=_-]+/g, 'whsec_[redacted]'],
  [/\btk_[0-9a-f]{16}_[0-9a-f]+/g, 'tk_[redacted]'],
  [/\btkt_[0-9a-f]{16}_\d+_[0-9a-f]+/g, 'tkt_[redacted]'],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]+/gi, '$1 [redacted]'],
  [/\/\/[^/\s@]*@/g, '//[redacted]@'],
];

/** Redacts keys, signing secrets, and user and password in URLs. */
export const safeText = (text: string): string =>
  SECRETS.reduce((said, [pattern, instead]) => said.replace(pattern, instead), text);

interface ErrorLike {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly table?: unknown;
  readonly status?: unknown;
  readonly stack?: unknown;
  readonly cause?: unknown;
  readonly driverError?: unknown;
  readonly errors?: unknown;
}

const isSqlState = (code: unknown): code is string => typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);

/** The message without input: data exceptions of the database and JSON's parser quote it. */
const messageOf = ({ name, message, code }: ErrorLike): string => {
  if (typeof message !== 'string') return '';
  const [first = ''] = message.split('\n', 1);
  if (name === 'SyntaxError' && /JSON/.test(first)) return 'A text is not valid JSON.';
  // Class 22: the message quotes the invalid value.
  const said = isSqlState(code) && code.startsWith('22') ? first.replace(/"[^"]*"?|:.*/g, '…') : first;
  return safeText(said.slice(0, LONGEST_MESSAGE));
};

const framesOf = (stack: unknown): string | undefined =>
  typeof stack !== 'string'
    ? undefined
    : stack
        .split('\n')
        .filter((line) => /^\s+at /.test(line))
        .join('\n');

/**
 * An error that is safe to log, print or send: message, code, constraint and stack frames, including those of its
 * causes. Never contains statement parameters, row text, or any other property set by a driver.
 */
export const safeError = (error: unknown, depth = 0): SafeError => {
  if (typeof error !== 'object' || error === null) {
    return { type: typeof error, message: safeText(String(error).slice(0, LONGEST_MESSAGE)) };
  }
  const like = error as ErrorLike;
  // TypeORM wraps the driver's error; the code is on the inner one.
  const driver = (
    typeof like.driverError === 'object' && like.driverError !== null ? like.driverError : {}
  ) as ErrorLike;
  const code = like.code ?? driver.code;
  const constraint = like.constraint ?? driver.constraint;
  const table = like.table ?? driver.table;
  const stack = framesOf(like.stack);
  const inner = depth < DEEPEST;
  return {
    type: typeof like.name === 'string' ? like.name : 'Error',
    message: messageOf({ ...driver, name: like.name, message: like.message, code }),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(typeof table === 'string' ? { table } : {}),
    ...(typeof like.status === 'number' ? { status: like.status } : {}),
    ...(stack === undefined || stack === '' ? {} : { stack }),
    ...(inner && like.cause !== undefined && like.cause !== null ? { cause: safeError(like.cause, depth + 1) } : {}),
    ...(inner && Array.isArray(like.errors) && like.errors.length > 0
      ? { errors: (like.errors as unknown[]).slice(0, MAX_ERRORS).map((each) => safeError(each, depth + 1)) }
      : {}),
  };
};

/** An error as one line for a terminal, without a stack trace: `connect ECONNREFUSED 127.0.0.1:5432`. */
export const errorLine = (error: unknown): string => {
  const { message, code, type, cause, errors } = safeError(error);
  const [first] = errors ?? [];
  // For a host with several addresses, Node reports an error without a message.
  const said = message !== '' ? message : (first?.message ?? cause?.message ?? type);
  return code === undefined || said.includes(code) ? said : `${said} (${code})`;
};
