import { Controller, Inject } from '@nestjs/common';
import { routes } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { explanationResponse } from './explanation-response.js';
import { recordResponse } from './record-response.js';
import { APP, type App } from '../composition.js';

/** Why a record is believed, and its reinstatement. */
@Controller()
export class BeliefController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.explainRecord)
  async explain(@Input() { tenantId, path }: CallOf<typeof routes.explainRecord>) {
    return explanationResponse(await this.app.explainRecord.execute(tenantId, path.memoryId, path.recordId));
  }

  @Route(routes.reinstateRecord)
  async reinstate(@Input() { tenantId, path }: CallOf<typeof routes.reinstateRecord>) {
    return recordResponse(await this.app.reinstateRecord.execute(tenantId, path.memoryId, path.recordId));
  }
}
