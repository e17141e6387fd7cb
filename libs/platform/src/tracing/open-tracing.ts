import type { Logger } from '../logger.js';
import type { TracingSettings } from '../config/tracing-settings.js';
import { NO_TRACING, type Tracing } from './tracing.js';

/** Whether the standard variables ask for traces. */
const isTracingOn = (settings: TracingSettings): boolean =>
  !settings.OTEL_SDK_DISABLED &&
  settings.OTEL_TRACES_EXPORTER === 'otlp' &&
  (settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;

/** Loads OpenTelemetry if the settings ask for traces. A collector that does not answer costs dropped spans only. */
export const openTracing = async (service: string, settings: TracingSettings, logger: Logger): Promise<Tracing> => {
  if (!isTracingOn(settings)) return NO_TRACING;
  const { openTelemetry } = await import('./open-telemetry.js');
  return openTelemetry(service, settings, logger);
};
