/** Injection tokens of ingest alone; `@turnkeeper/runtime/nest` has those that it shares with the worker. */

/** Public base URL of this service, without a trailing slash. */
export const PUBLIC_URL = Symbol('public url');
export const STREAM_RECONCILER = Symbol('stream reconciler');
/** `() => void`: called after this process has appended events. */
export const APPENDED = Symbol('appended');
/** `ActivityLog`: samples of the whole installation. */
export const ACTIVITY = Symbol('activity');
