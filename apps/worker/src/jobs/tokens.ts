/** Handler of a job that extracts from a session. */
export const EXTRACT_JOB = Symbol('extract job');
/** Handler of a job that attempts a delivery. */
export const DELIVER_JOB = Symbol('deliver job');
