import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventType } from '@turnkeeper/domain';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { checkEvent, currentVersion, decodeData, EVENT_SCHEMAS, EventContractBroken, UPCASTS } from './index.js';

const folder = join(import.meta.dirname, 'samples');
const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<string, string>;
const types = Object.keys(EVENT_SCHEMAS) as EventType[];
const versions = types.flatMap((type) =>
  EVENT_SCHEMAS[type].map((schema, index) => ({ type, schema, version: index + 1 })),
);
const nameOf = (type: string, version: number) => `${type}.v${version}.json`;
const sampleOf = (type: string, version: number): unknown =>
  JSON.parse(readFileSync(join(folder, nameOf(type, version)), 'utf8'));

describe('samples of stored events', () => {
  it('are unchanged since their release', () => {
    const files = readdirSync(folder).filter((name) => name !== 'manifest.json');
    const hashes = files.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]);
    expect(Object.fromEntries(hashes)).toEqual(manifest);
  });

  it('exist for every version of every type, and for nothing else', () => {
    expect(Object.keys(manifest).sort()).toEqual(versions.map(({ type, version }) => nameOf(type, version)).sort());
  });

  it.each(versions)(
    '$type version $version conforms to its schema and is read as the newest',
    ({ type, schema, version }) => {
      const sample = sampleOf(type, version);
      expect((schema as z.ZodType).safeParse(sample).error).toBeUndefined();
      const decoded = decodeData(type, version, sample);
      expect(decoded).toMatchObject({ known: true, schemaVersion: currentVersion(type) });
      const newest = EVENT_SCHEMAS[type].at(-1) as z.ZodType;
      expect(newest.safeParse(decoded.known && decoded.data).error).toBeUndefined();
    },
  );

  it('contain every field of their schema, so that no rename goes unnoticed', () => {
    for (const { type, schema, version } of versions) {
      const sample = sampleOf(type, version) as object;
      expect(Object.keys(schema.shape).filter((field) => !(field in sample))).toEqual([]);
    }
  });
});

describe('upcasts', () => {
  it('have one step for each version except the newest', () => {
    for (const type of types) expect(UPCASTS[type]?.length ?? 0).toBe(currentVersion(type) - 1);
  });

  const contract = {
    schemas: { 'thing.done': [1, 2, 3] },
    upcasts: {
      'thing.done': [({ n }: { n: number }) => ({ count: n }), ({ count }: { count: number }) => ({ counts: [count] })],
    },
  };

  it('run in order from the stored version', () => {
    const newest = { known: true, schemaVersion: 3, data: { counts: [7] } };
    expect(decodeData('thing.done', 1, { n: 7 }, contract)).toEqual(newest);
    expect(decodeData('thing.done', 2, { count: 7 }, contract)).toEqual(newest);
    expect(decodeData('thing.done', 3, { counts: [7] }, contract)).toEqual(newest);
  });

  it('leave events of later releases unchanged', () => {
    expect(decodeData('thing.done', 4, {}, contract)).toEqual({ known: false });
    expect(decodeData('thing.undone', 1, {}, contract)).toEqual({ known: false });
    expect(decodeData('toString', 1, {}, contract)).toEqual({ known: false });
  });
});

describe('validating an event before it is stored', () => {
  const stopped = { type: 'agent.stopped', schemaVersion: 1, data: sampleOf('agent.stopped', 1) } as never;

  it('accepts an event that conforms to its schema', () => expect(() => checkEvent(stopped)).not.toThrow());

  it('names the invalid field, but not its value', () => {
    const broken = { type: 'agent.stopped', schemaVersion: 1, data: { agentId: 'secret', reason: 'x' } } as never;
    expect(() => checkEvent(broken)).toThrow(EventContractBroken);
    expect(() => checkEvent(broken)).toThrow(/^Event agent\.stopped breaks its contract: agentId: \w+\.$/);
  });

  it('rejects a version that this release does not write', () => {
    expect(() => checkEvent({ ...(stopped as object), schemaVersion: 2 } as never)).toThrow(EventContractBroken);
  });
});
