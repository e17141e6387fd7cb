import { Controller, Get, Inject, Param } from '@nestjs/common';
import { ExtractionStatus } from '@turnkeeper/application';
import { RequireScope, TenantId } from '../auth/auth.guard.js';
import { memoryIdOf } from '../http/path.js';

@Controller('v1/memories/:memoryId/extraction')
export class ExtractionController {
  constructor(@Inject(ExtractionStatus) private readonly status: ExtractionStatus) {}

  /** How far a memory's strategies have read what was appended before this request. */
  @Get()
  @RequireScope('memory:read')
  get(@TenantId() tenantId: string, @Param('memoryId') memoryId: string) {
    return this.status.execute(tenantId, memoryIdOf(memoryId));
  }
}
