import type { EventDataByType, EventType, ExtractedRecord, RecordSnapshot, Strategy } from '@turnkeeper/domain';
import type { z } from 'zod';
import { agentEvents } from './agent-events.js';
import { memoryEvents } from './memory-events.js';
import { recordEvents } from './record-events.js';
import { sessionEvents } from './session-events.js';

/**
 * The contract of the log: for every event type its schemas, oldest version first; version n is at place n - 1.
 *
 * - A new optional field needs no new version. Anything else does: a renamed, removed or newly required field, another
 *   type, another unit. Append the new schema, and a step to `UPCASTS` that makes the new data from the old.
 * - A new meaning is a new event type, not a version.
 * - A version is never edited or removed, because events of it are stored. `samples/` holds one sample of each.
 */
export const EVENT_SCHEMAS = { ...memoryEvents, ...sessionEvents, ...agentEvents, ...recordEvents } satisfies {
  readonly [T in EventType]: readonly [z.ZodType, ...z.ZodType[]];
};

/** The newest version of a type: what this release writes. */
export const currentVersion = (type: EventType): number => EVENT_SCHEMAS[type].length;

type Last<L extends readonly unknown[]> = L extends readonly [...unknown[], infer T] ? T : never;
type Data<T extends EventType> = z.infer<Last<(typeof EVENT_SCHEMAS)[T]>>;
/** Names of the fields, with `?` after an optional one. */
type Fields<T> = { [K in keyof T & string]-?: object extends Pick<T, K> ? `${K}?` : K }[keyof T & string];
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Drift = {
  [T in EventType]: Same<Fields<Data<T>>, Fields<EventDataByType[T]>> extends true ? never : T;
}[EventType];

// The build breaks when the domain's events and this contract drift apart; the error names the event type.
true satisfies [Drift] extends [never] ? true : Drift;
true satisfies Same<Fields<Data<'records.extracted'>['records'][number]>, Fields<ExtractedRecord>>;
true satisfies Same<Fields<Data<'records.carried_over'>['records'][number]>, Fields<RecordSnapshot>>;
true satisfies Same<Fields<Data<'strategy.added'>['strategy']>, Fields<Strategy>>;
