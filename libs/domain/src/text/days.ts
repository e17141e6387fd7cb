const AS_WRITTEN = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });

const inWords = (at: string, format: Intl.DateTimeFormat): string | null =>
  Number.isNaN(Date.parse(at)) ? null : format.format(new Date(at.slice(0, 10)));

/** "10 May 2023": the day of an ISO 8601 time, at its own offset. Null if the time is invalid. */
export const dayInWords = (at: string): string | null => inWords(at, AS_WRITTEN);

/** "Wednesday", likewise. */
export const weekdayOf = (at: string): string | null => inWords(at, WEEKDAY);
