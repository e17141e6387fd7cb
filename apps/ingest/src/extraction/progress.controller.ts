import { Controller, Inject } from '@nestjs/common';
import { ExtractionStatus } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';

const { getExtraction } = routes;

@Controller()
export class ExtractionController {
  constructor(@Inject(ExtractionStatus) private readonly status: ExtractionStatus) {}

  @Route(getExtraction)
  async get(@Input() { tenantId, path }: CallOf<typeof getExtraction>) {
    const { caughtUp, strategies } = await this.status.execute(tenantId, path.memoryId);
    return { caughtUp, strategies: [...strategies] };
  }
}
