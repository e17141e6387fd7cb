import { Module } from '@nestjs/common';
import { ExtractSession, type Extractor } from '@turnkeeper/application';
import { createExtractor, ExtractionThreads, readNumbers, secrets } from '@turnkeeper/extraction';
import { every } from '@turnkeeper/platform';
import { isDatabaseAway } from '@turnkeeper/postgres';
import type { Settings } from '@turnkeeper/platform';
import type { Stores } from '@turnkeeper/runtime';
import { RESOURCES, SETTINGS, STORES } from '@turnkeeper/runtime/nest';
import { DispatchModule } from '../dispatch/dispatch.module.js';
import { DueWork } from '../dispatch/due-work.js';
import { EXTRACT_JOB } from '../jobs/tokens.js';
import type { WorkerResources } from '../resources.js';
import { extractHandler } from './extract.handler.js';
import { extractionLimits } from './extraction-limits.js';
import { meteredExtractor } from './metered-extractor.js';
import { tracedExtraction } from './traced-extraction.js';
import { tracedExtractor } from './traced-extractor.js';
import { traceHeaders } from '../tracing/traced.js';

const EXTRACTOR = Symbol('extractor');

@Module({
  imports: [DispatchModule],
  providers: [
    {
      provide: ExtractionThreads,
      inject: [SETTINGS],
      useFactory: (settings: Settings) =>
        new ExtractionThreads({
          threads: settings.EXTRACTION_THREADS,
          cpuMs: settings.EXTRACTION_THREAD_SECONDS * 1_000,
          maxMegabytes: settings.EXTRACTION_THREAD_MEGABYTES,
        }),
    },
    {
      provide: EXTRACTOR,
      inject: [RESOURCES, ExtractionThreads],
      useFactory: ({ settings, logger, metrics, tracing }: WorkerResources, threads: ExtractionThreads) => {
        const model = {
          baseUrl: settings.LLM_BASE_URL,
          model: settings.LLM_MODEL,
          apiKey: settings.LLM_API_KEY,
          timeoutMs: settings.LLM_TIMEOUT_SECONDS * 1_000,
          headers: () => traceHeaders(tracing),
        };
        return tracedExtractor(meteredExtractor(createExtractor(model, logger, threads), metrics), tracing, model);
      },
    },
    {
      provide: ExtractSession,
      inject: [STORES, SETTINGS, EXTRACTOR],
      useFactory: (stores: Stores, settings: Settings, extractor: Extractor) =>
        new ExtractSession({
          ...stores,
          extractor,
          readNumbers,
          secrets,
          every,
          isDatabaseAway,
          monotonicMs: () => performance.now(),
          limits: extractionLimits(settings),
        }),
    },
    {
      provide: EXTRACT_JOB,
      inject: [ExtractSession, RESOURCES, DueWork],
      useFactory: (extractSession: ExtractSession, resources: WorkerResources, dueWork: DueWork) => {
        const { logger, metrics, failures } = resources;
        const traced = tracedExtraction(extractSession, resources);
        return extractHandler(traced, logger, metrics, failures, () => dueWork.soon('admitExtractions'));
      },
    },
  ],
  exports: [EXTRACT_JOB],
})
export class ExtractionModule {}
