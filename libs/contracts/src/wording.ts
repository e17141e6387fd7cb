import type { z } from 'zod';

/** A schema's combined constraints: minimum, maximum, and whether it requires an integer. */
interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly whole?: boolean;
}

interface CheckDef {
  readonly check: string;
  readonly value?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
}

/** An issue names only the violated bound; the error message should state both. */
const boundsOf = (schema: z.core.$ZodType | undefined): Bounds => {
  const bounds: { -readonly [K in keyof Bounds]: Bounds[K] } = {};
  const { checks = [] } = (schema?._zod.def ?? {}) as { checks?: readonly { _zod: { def: CheckDef } }[] };
  for (const { _zod: check } of checks) {
    const { value, minimum, maximum } = check.def;
    if (check.def.check === 'greater_than') bounds.minimum = Number(value);
    if (check.def.check === 'less_than') bounds.maximum = Number(value);
    if (check.def.check === 'min_length') bounds.minimum = Number(minimum);
    if (check.def.check === 'max_length') bounds.maximum = Number(maximum);
    if (check.def.check === 'number_format') bounds.whole = true;
  }
  return bounds;
};

/** `.int()` implies the safe-integer bounds, which mean nothing to a reader. */
const sayable = (bound: unknown): number | undefined =>
  typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;

const inFigures = (value: number | bigint): string => value.toLocaleString('en-US');

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  url: 'must be a URL',
  datetime: 'must be an RFC 3339 time with a time zone',
  base64: 'must be base64',
};

/** The allowed range: `between 5 and 200`, `at least 1`, `at most 10`. */
const range = (minimum: number | undefined, maximum: number | undefined): string => {
  if (minimum === undefined) return `at most ${inFigures(maximum ?? 0)}`;
  if (maximum === undefined) return `at least ${inFigures(minimum)}`;
  return minimum === maximum ? inFigures(minimum) : `between ${inFigures(minimum)} and ${inFigures(maximum)}`;
};

const outOfBounds = (
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  { minimum, maximum }: Bounds,
): string => {
  const violated = Number(issue.code === 'too_small' ? issue.minimum : issue.maximum);
  // 1e300 violates the bound of safe integers only, not the minimum.
  if (sayable(violated) === undefined) return 'must be a number that can be stored exactly';
  const own = issue.code === 'too_small' ? { minimum: violated } : { maximum: violated };
  const least = sayable(own.minimum ?? minimum);
  const most = sayable(own.maximum ?? maximum);
  if (issue.origin === 'string') return `must have ${range(least, most)} characters`;
  if (issue.origin === 'array' || issue.origin === 'set') return `must have ${range(least, most)} items`;
  return `must be ${range(least, most)}`;
};

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.map(String).join(', ')}`;

const isMissing = (issue: z.core.$ZodRawIssue): boolean =>
  issue.input === undefined &&
  ['invalid_type', 'invalid_value', 'invalid_format', 'invalid_union'].includes(issue.code);

/** Longest field name to repeat: unknown names come from the client and may be anything. */
const LONGEST_NAME = 100;

/** A field's path with dots. */
export const fieldOf = (path: readonly PropertyKey[]): string =>
  path.map((key) => String(key).slice(0, LONGEST_NAME).replace(/\p{C}/gu, '\ufffd')).join('.');

/**
 * Words a violated rule for people: `is required`, `must be between 5 and 200`. A schema's own message takes
 * precedence; this covers everything else.
 */
export const wordingOf = (issue: z.core.$ZodRawIssue): string => {
  if (isMissing(issue)) return 'is required';
  const bounds = (): Bounds => boundsOf((issue as { schema?: z.core.$ZodType }).schema);
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = issue.expected === 'number' && bounds().whole === true ? 'int' : issue.expected;
      return TYPES[wanted] ?? 'is of the wrong type';
    }
    case 'too_small':
    case 'too_big':
      return outOfBounds(issue as unknown as z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig, bounds());
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'contains characters that are not allowed';
    case 'invalid_value':
      return oneOf(issue.values);
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`;
    case 'unrecognized_keys':
      return 'is not a known field';
    case 'invalid_union':
      return 'options' in issue
        ? oneOf(issue.options as readonly unknown[])
        : 'has none of the shapes that are known here';
    default:
      return 'is not allowed';
  }
};
