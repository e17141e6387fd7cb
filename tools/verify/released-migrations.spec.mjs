import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspaceRoot } from '../shared/workspace.mjs';

/**
 * Migrations that existing databases have run, in this order; add to it with every release. A database refuses to start
 * if one of them is missing or another one was inserted before the last.
 */
const RELEASED = {
  'libs/postgres/migrations/log': [
    ...['0001_create_log', '0002_create_append_events', '0010_erase_events', '0020_index_questions'],
    ...['0052_secure_tables', '0053_secure_dependent_tables', '0060_read_log_in_order', '0061_read_outline'],
    ...['0062_outline_without_lookups'],
  ],
  'libs/postgres/migrations/read-models': [
    ...['0001_create_read_models', '0010_erase_personal_rows', '0011_index_deliveries_by_cause', '0012_keep_key_lives'],
    ...['0020_widen_agents', '0021_create_vendor_apps', '0030_admit_deliveries', '0031_manage_webhooks'],
    ...['0032_create_signing_keys', '0033_order_due_deliveries', '0034_create_connectors', '0040_admit_extractions'],
    ...['0041_supersede_records', '0042_index_slot_words', '0043_create_rolling_memory', '0044_keep_answers'],
    ...['0045_find_session_states', '0046_keep_rolling_settings', '0047_drop_last_answer', '0060_note_progress'],
    ...['0061_keep_bodies_for_a_time', '0062_note_open_memories'],
  ],
};

describe('released migrations', () => {
  it.each(Object.entries(RELEASED))('exist, and precede newer ones: %s', (folder, released) => {
    const names = readdirSync(join(workspaceRoot, folder))
      .filter((name) => name.endsWith('.sql'))
      .map((name) => name.slice(0, -'.sql'.length))
      .sort();
    expect(names.slice(0, released.length)).toEqual(released);
  });
});
