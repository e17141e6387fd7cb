import { Controller, Inject } from '@nestjs/common';
import { ExplainRecord, ReinstateRecord } from '@turnkeeper/application';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { TenantId } from '../auth/auth.guard.js';
import { Input, Route } from '../http/route.js';
import { explanationResponse } from './explanation-response.js';
import { recordResponse } from './record-response.js';

const { explainRecord, reinstateRecord } = routes;

/** Why a record is believed, and its reinstatement. */
@Controller()
export class BeliefController {
  constructor(
    @Inject(ExplainRecord) private readonly explainRecord: ExplainRecord,
    @Inject(ReinstateRecord) private readonly reinstateRecord: ReinstateRecord,
  ) {}

  @Route(explainRecord)
  async explain(
    @TenantId() tenantId: string,
    @Input(explainRecord) { path }: InputOf<typeof explainRecord>,
  ): Promise<OutputOf<typeof explainRecord>> {
    return explanationResponse(await this.explainRecord.execute(tenantId, path.memoryId, path.recordId));
  }

  @Route(reinstateRecord)
  async reinstate(
    @TenantId() tenantId: string,
    @Input(reinstateRecord) { path }: InputOf<typeof reinstateRecord>,
  ): Promise<OutputOf<typeof reinstateRecord>> {
    return recordResponse(await this.reinstateRecord.execute(tenantId, path.memoryId, path.recordId));
  }
}
