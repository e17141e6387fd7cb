import { Controller, Inject } from '@nestjs/common';
import { routes } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { ReadLimits } from './read-limits.js';

const { getLimits } = routes;

@Controller()
export class LimitsController {
  constructor(@Inject(ReadLimits) private readonly limits: ReadLimits) {}

  @Route(getLimits)
  async get(@Input() { tenantId }: CallOf<typeof getLimits>) {
    const [limits, modelUsage] = await Promise.all([this.limits.execute(tenantId), this.limits.modelUsage(tenantId)]);
    return { limits, modelUsage };
  }
}
