import { Controller, Inject } from '@nestjs/common';
import { routes } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { explanationResponse } from './explanation-response.js';
import { recordResponse } from './record-response.js';
import { APP, type App } from '../composition.js';

const { explainRecord, reinstateRecord } = routes;

/** Why a record is believed, and its reinstatement. */
@Controller()
export class BeliefController {
  constructor(@Inject(APP) private readonly app: Pick<App, 'explainRecord' | 'reinstateRecord'>) {}

  @Route(explainRecord)
  async explain(@Input() { tenantId, path }: CallOf<typeof explainRecord>) {
    return explanationResponse(await this.app.explainRecord.execute(tenantId, path.memoryId, path.recordId));
  }

  @Route(reinstateRecord)
  async reinstate(@Input() { tenantId, path }: CallOf<typeof reinstateRecord>) {
    return recordResponse(await this.app.reinstateRecord.execute(tenantId, path.memoryId, path.recordId));
  }
}
