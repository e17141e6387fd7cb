import { describe, expect, it } from 'vitest';
import { AGENT_EVENT_TYPES } from '../agent/agent.js';
import { DERIVED_TYPES } from '../erasure/redact.js';
import { EVENT_TRAITS } from '../log/event-traits.js';
import type { EventType } from '../log/log-event.js';
import { MEMORY_EVENT_TYPES } from '../memory/memory.js';
import { PROJECTED_TYPES, PROJECTION_OF } from './projection-of.js';

describe('projections', () => {
  it('use no event that expires, because a rebuild would lose it', () => {
    expect(PROJECTED_TYPES.filter((type) => EVENT_TRAITS[type].expires)).toEqual([]);
  });

  it('use every event that an aggregate is folded from', () => {
    for (const type of AGENT_EVENT_TYPES) expect(PROJECTION_OF[type]).toBe('agents');
    for (const type of MEMORY_EVENT_TYPES) expect(['memories', 'erasure']).toContain(PROJECTION_OF[type]);
  });

  it('use every event about records, except unparsed answers', () => {
    const accounts = DERIVED_TYPES.filter((type: EventType) => type !== 'extraction.answered');
    for (const type of accounts) expect(PROJECTION_OF[type]).toBe('records');
  });
});
