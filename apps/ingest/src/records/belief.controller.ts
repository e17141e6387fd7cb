import { Controller, Inject } from '@nestjs/common';
import { ExplainRecord, ReinstateRecord } from '@turnkeeper/application';
import { routes } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
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
  async explain(@Input() { tenantId, path }: CallOf<typeof explainRecord>) {
    return explanationResponse(await this.explainRecord.execute(tenantId, path.memoryId, path.recordId));
  }

  @Route(reinstateRecord)
  async reinstate(@Input() { tenantId, path }: CallOf<typeof reinstateRecord>) {
    return recordResponse(await this.reinstateRecord.execute(tenantId, path.memoryId, path.recordId));
  }
}
