import { Module } from '@nestjs/common';
import type { Logger, Settings } from '@turnkeeper/platform';
import type { Stores } from '@turnkeeper/runtime';
import { LOGGER, SETTINGS, STORES } from '@turnkeeper/runtime/nest';
import { BodyBudget } from '../edge/body-budget.js';
import { DueWorkGate } from './due-work.js';
import { FairWork } from './fair-work.js';
import { InFlight } from './in-flight.js';
import { KnownLimits } from './known-limits.js';
import { LimitsController } from './limits.controller.js';
import { RateLimiter } from './rate-limiter.js';
import { ReadLimits } from './read-limits.js';
import { BULK } from './share-work.js';
import { standardLimits } from './standard-limits.js';

/** Tenant limits, their enforcement, and a tenant's view of its limits. */
@Module({
  controllers: [LimitsController],
  providers: [
    {
      provide: KnownLimits,
      inject: [SETTINGS, STORES],
      useFactory: (settings: Settings, { tenants }: Stores) => new KnownLimits(standardLimits(settings), tenants),
    },
    {
      provide: DueWorkGate,
      inject: [KnownLimits, STORES],
      useFactory: (limits: KnownLimits, { usage }: Stores) => new DueWorkGate(limits, usage),
    },
    {
      provide: RateLimiter,
      inject: [KnownLimits, STORES, LOGGER],
      useFactory: (limits: KnownLimits, { rateBudgets, ids }: Stores, logger: Logger) => {
        const onLeaseFailed = (error: unknown): void => logger.warn({ err: error }, 'rate_budgets.not_leased');
        return new RateLimiter(limits, rateBudgets, ids.next(), onLeaseFailed);
      },
    },
    {
      provide: InFlight,
      inject: [KnownLimits],
      useFactory: (limits: KnownLimits) => new InFlight((tenantId) => limits.of(tenantId).requestsInFlight),
    },
    {
      provide: FairWork,
      inject: [SETTINGS],
      useFactory: ({ TENANT_WORK_SLOTS }: Settings) => new FairWork(TENANT_WORK_SLOTS, BULK),
    },
    {
      provide: BodyBudget,
      inject: [SETTINGS],
      useFactory: (settings: Settings) =>
        new BodyBudget(settings.MAX_BODY_BYTES_IN_FLIGHT, settings.TENANT_MAX_BODY_BYTES_IN_FLIGHT),
    },
    {
      provide: ReadLimits,
      inject: [KnownLimits, InFlight, STORES],
      useFactory: (limits: KnownLimits, inFlight: InFlight, { usage, rateBudgets: budgets }: Stores) =>
        new ReadLimits({ limits, usage, budgets, inFlight }),
    },
  ],
  exports: [BodyBudget, KnownLimits, DueWorkGate, FairWork, RateLimiter, InFlight],
})
export class LimitsModule {}
