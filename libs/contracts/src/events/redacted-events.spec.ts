import { DERIVED_TYPES, redactDerived, type DerivedType, type EventDataByType } from '@turnkeeper/domain';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkEvent } from './check-event.js';

const sampleOf = (type: DerivedType): unknown =>
  JSON.parse(readFileSync(new URL(`samples/${type}.v1.json`, import.meta.url), 'utf8'));

/** A rebuild validates what it reads, so an erasure must leave valid events behind. */
describe('a derived event after an erasure of everything that it names', () => {
  it.each(DERIVED_TYPES)('still obeys its schema: %s', (type) => {
    const data = sampleOf(type);
    const ids = new Set(JSON.stringify(data).match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g));
    const event = { type, data: data as EventDataByType[DerivedType] } as Parameters<typeof redactDerived>[0];
    const redacted = redactDerived(event, { eventIds: ids, withdrawn: ids, carried: ids });
    expect(redacted).not.toBeNull();
    checkEvent({ type, schemaVersion: 1, data: redacted } as Parameters<typeof checkEvent>[0]);
  });
});
