import type { EventDataByType, EventType, ExtractedRecord, RecordSnapshot, Strategy } from '@turnkeeper/domain';
import type { z } from 'zod';
import { agentEvents } from './agent-events.js';
import { memoryEvents } from './memory-events.js';
import { recordEvents } from './record-events.js';
import { sessionEvents } from './session-events.js';

/**
 * The event contract: the schemas of every event type, oldest version first; version n is at index n - 1.
 *
 * - A new optional field needs no new version. Every other change does: a renamed, removed or newly required field,
 *   another type, another unit. Append the new schema, and add a step to `UPCASTS` that converts the old data.
 * - A new meaning needs a new event type, not a version.
 * - Never edit or remove a version, because events of it are stored. `samples/` contains one sample of each.
 */
export const EVENT_SCHEMAS = { ...memoryEvents, ...sessionEvents, ...agentEvents, ...recordEvents } satisfies {
  readonly [T in EventType]: readonly [z.ZodType, ...z.ZodType[]];
};

/** The newest version of an event type, which this release writes. */
export const currentVersion = (type: EventType): number => EVENT_SCHEMAS[type].length;

type Last<L extends readonly unknown[]> = L extends readonly [...unknown[], infer T] ? T : never;
type Data<T extends EventType> = z.infer<Last<(typeof EVENT_SCHEMAS)[T]>>;
/** Field names, with `?` after optional ones. */
type Fields<T> = { [K in keyof T & string]-?: object extends Pick<T, K> ? `${K}?` : K }[keyof T & string];
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Drift = {
  [T in EventType]: Same<Fields<Data<T>>, Fields<EventDataByType[T]>> extends true ? never : T;
}[EventType];

// Compile-time check that the domain's events match these schemas; the error names the event type.
true satisfies [Drift] extends [never] ? true : Drift;
true satisfies Same<Fields<Data<'records.extracted'>['records'][number]>, Fields<ExtractedRecord>>;
true satisfies Same<Fields<Data<'records.carried_over'>['records'][number]>, Fields<RecordSnapshot>>;
true satisfies Same<Fields<Data<'strategy.added'>['strategy']>, Fields<Strategy>>;
