import type { ExtractionLimits } from '@turnkeeper/application';
import type { Settings } from '@turnkeeper/platform';

const TURN_INTERVAL = 5;
/** With a model: as many turns as a window holds (`EXTRACTION_WINDOW_EVENTS`). */
const MODEL_TURN_INTERVAL = 25;

/** When a session is due. */
export const extractionTiming = (
  settings: Pick<Settings, 'EXTRACTION_TURN_INTERVAL' | 'EXTRACTION_QUIET_SECONDS' | 'LLM_BASE_URL'>,
): ExtractionLimits['timing'] => ({
  turnInterval:
    settings.EXTRACTION_TURN_INTERVAL ?? (settings.LLM_BASE_URL === undefined ? TURN_INTERVAL : MODEL_TURN_INTERVAL),
  quietSeconds: settings.EXTRACTION_QUIET_SECONDS,
});

export const extractionLimits = (settings: Settings): ExtractionLimits => ({
  windowEvents: settings.EXTRACTION_WINDOW_EVENTS,
  windowBytes: settings.EXTRACTION_WINDOW_BYTES,
  contextEvents: settings.EXTRACTION_CONTEXT_EVENTS,
  maxAttempts: settings.EXTRACTION_MAX_ATTEMPTS,
  maxOutageTries: settings.EXTRACTION_MAX_OUTAGE_TRIES,
  leaseSeconds: settings.EXTRACTION_LEASE_SECONDS,
  contactDetails: settings.RECORD_CONTACT_DETAILS,
  tokensPerDay: settings.LLM_TENANT_TOKENS_PER_DAY,
  memoryTokensPerDay: settings.LLM_MEMORY_TOKENS_PER_DAY,
  timing: extractionTiming(settings),
});
