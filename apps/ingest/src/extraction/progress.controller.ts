import { Controller, Inject } from '@nestjs/common';
import { ExtractionStatus } from '@turnkeeper/application';
import { routes, type InputOf } from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { Input, Route } from '../http/route.js';

const { getExtraction } = routes;

@Controller()
export class ExtractionController {
  constructor(@Inject(ExtractionStatus) private readonly status: ExtractionStatus) {}

  @Route(getExtraction)
  get(@TenantId() tenantId: string, @Input(getExtraction) { path }: InputOf<typeof getExtraction>) {
    return this.status.execute(tenantId, path.memoryId);
  }
}
