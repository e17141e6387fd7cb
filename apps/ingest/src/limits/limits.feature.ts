import { InFlight } from '../auth/in-flight.js';
import type { Feature } from '../feature.js';
import { LimitsController } from './limits.controller.js';
import { ReadLimits } from './read-limits.js';

/** A tenant's view of its limits. */
export const limitsFeature: Feature = {
  controllers: [LimitsController],
  providers: ({ usage, rateBudgets: budgets }, _resources, limits) => [
    {
      provide: ReadLimits,
      inject: [InFlight],
      useFactory: (inFlight: InFlight) => new ReadLimits({ limits, usage, budgets, inFlight }),
    },
  ],
};
