import type { NewEvent } from '@turnkeeper/domain';
import type { z } from 'zod';
import { currentVersion, EVENT_SCHEMAS } from './event-schemas.js';

/** Our own code built an event that violates its schema, which is a bug. Nothing is stored; clients get a 500. */
export class EventContractBroken extends Error {
  constructor(type: string, rule: string) {
    super(`Event ${type} breaks its contract: ${rule}.`);
    this.name = 'EventContractBroken';
  }
}

/** Validates an event against its schema before it is stored. Errors name the field but never contain its value. */
export const checkEvent = ({ type, schemaVersion, data }: Pick<NewEvent, 'type' | 'schemaVersion' | 'data'>): void => {
  const newest = currentVersion(type);
  if (schemaVersion !== newest) {
    throw new EventContractBroken(type, `its version is ${schemaVersion}, this release writes ${newest}`);
  }
  const schema = EVENT_SCHEMAS[type].at(-1) as z.ZodType;
  const result = schema.safeParse(data);
  if (result.success) return;
  const [{ path, code }] = result.error.issues as [z.core.$ZodIssue];
  throw new EventContractBroken(type, `${path.map(String).join('.') || 'data'}: ${code}`);
};
