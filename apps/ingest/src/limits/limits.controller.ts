import { Controller, Inject } from '@nestjs/common';
import { routes, type OutputOf } from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { Route } from '../http/route.js';
import { ReadLimits } from './read-limits.js';

const { getLimits } = routes;

@Controller()
export class LimitsController {
  constructor(@Inject(ReadLimits) private readonly limits: ReadLimits) {}

  @Route(getLimits)
  async get(@TenantId() tenantId: string): Promise<OutputOf<typeof getLimits>> {
    return { limits: await this.limits.execute(tenantId) };
  }
}
