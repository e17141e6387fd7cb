import type { EventType } from '@turnkeeper/domain';
import { EVENT_SCHEMAS } from './event-schemas.js';

/** Makes data of the next version from data of this one. Pure: the same old event always gives the same new one. */
type Upcast = (data: never) => unknown;

/**
 * Steps from version to version: the first step of a type makes version 2 from version 1. A type with one version has
 * none.
 */
export const UPCASTS: { readonly [T in EventType]?: readonly Upcast[] } = {};

/** Whether this release can work with an event, after decoding; false for what a later release wrote. */
export const isKnownEvent = ({
  type,
  schemaVersion,
}: {
  readonly type: string;
  readonly schemaVersion: number;
}): boolean => Object.hasOwn(EVENT_SCHEMAS, type) && schemaVersion <= EVENT_SCHEMAS[type as EventType].length;

/** Data of an event as this release reads it. */
export type DecodedData =
  | { readonly known: true; readonly schemaVersion: number; readonly data: unknown }
  /** A type or version that a later release wrote. It is handed on untouched. */
  | { readonly known: false };

/** The part of the contract that decoding needs; a parameter so that tests can give it a history. */
export interface Contract {
  readonly schemas: Readonly<Record<string, readonly unknown[]>>;
  readonly upcasts: Readonly<Record<string, readonly Upcast[] | undefined>>;
}
const CONTRACT: Contract = { schemas: EVENT_SCHEMAS, upcasts: UPCASTS };

/**
 * Brings stored data to the version that this release works with. It looks at type and version only: the data was
 * checked when it was written, and a reader of millions of events does not check it again.
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
