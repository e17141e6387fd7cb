/** English names of the months, in lower case. */
export const MONTHS: readonly string[] =
  'january february march april may june july august september october november december'.split(' ');

/** The same as they are written. */
export const MONTH_NAMES: readonly string[] = MONTHS.map((name) => name.replace(/^./, (first) => first.toUpperCase()));
