import type { EventType } from '@turnkeeper/domain';
import { EVENT_SCHEMAS } from './event-schemas.js';

/** Converts data to the next version. Must be pure and deterministic. */
type Upcast = (data: never) => unknown;

/** Conversion steps per event type: the first converts version 1 to version 2. A type with one version has none. */
export const UPCASTS: { readonly [T in EventType]?: readonly Upcast[] } = {};

/** Whether this release can process an event after decoding; false if a later release wrote it. */
export const isKnownEvent = ({
  type,
  schemaVersion,
}: {
  readonly type: string;
  readonly schemaVersion: number;
}): boolean => Object.hasOwn(EVENT_SCHEMAS, type) && schemaVersion <= EVENT_SCHEMAS[type as EventType].length;

/** Event data as this release reads it. */
export type DecodedData =
  | { readonly known: true; readonly schemaVersion: number; readonly data: unknown }
  /** Written by a later release with an unknown type or version; passed on unchanged. */
  | { readonly known: false };

/** The part of the contract that decoding needs; a parameter so that tests can supply old versions. */
export interface Contract {
  readonly schemas: Readonly<Record<string, readonly unknown[]>>;
  readonly upcasts: Readonly<Record<string, readonly Upcast[] | undefined>>;
}
const CONTRACT: Contract = { schemas: EVENT_SCHEMAS, upcasts: UPCASTS };

/**
 * Converts stored data to the version that this release uses. Checks only type and version: the data was validated when
 * it was written, and replaying millions of events must be fast.
 */
export const decodeData = (
  type: string,
  schemaVersion: number,
  data: unknown,
  { schemas, upcasts }: Contract = CONTRACT,
): DecodedData => {
  const newest = Object.hasOwn(schemas, type) ? (schemas[type]?.length ?? 0) : 0;
  if (schemaVersion > newest || schemaVersion < 1) return { known: false };
  let decoded = data;
  for (const upcast of upcasts[type]?.slice(schemaVersion - 1) ?? []) decoded = upcast(decoded as never);
  return { known: true, schemaVersion: newest, data: decoded };
};
