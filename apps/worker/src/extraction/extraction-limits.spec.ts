import { describe, expect, it } from 'vitest';
import { extractionTiming } from './extraction-limits.js';

describe('when a session is due', () => {
  it.each([
    ['five turns without a model', {}, 5],
    ['a full window with a model', { LLM_BASE_URL: 'http://127.0.0.1/v1' }, 25],
    ['the setting, if there is one', { LLM_BASE_URL: 'http://127.0.0.1/v1', EXTRACTION_TURN_INTERVAL: 2 }, 2],
  ])('%s', (_, settings, turnInterval) => {
    const quiet = { EXTRACTION_QUIET_SECONDS: 30 };
    expect(extractionTiming({ ...quiet, ...settings } as never)).toEqual({ turnInterval, quietSeconds: 30 });
  });
});
