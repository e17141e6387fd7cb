import { UsageError } from '../usage.js';

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

export const required = (value: string | undefined, option: string): string => {
  if (value === undefined || value === '') throw new UsageError(`${option} is required.`);
  return value;
};

/** An integer of at least `min`, or the fallback if the option is absent. */
export const wholeNumber = <T>(value: string | undefined, option: string, min: number, fallback: T): number | T => {
  if (value === undefined) return fallback;
  const count = Number(value);
  if (!Number.isInteger(count) || count < min) throw new UsageError(`${option} must be a whole number from ${min}.`);
  return count;
};
