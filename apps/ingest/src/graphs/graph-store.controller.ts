import { Controller, Inject } from '@nestjs/common';
import { routes, type OutputOf } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

/** Items that agent graphs share, for `@turnkeeper/langgraph`. */
@Controller()
export class GraphStoreController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.batchGraphStore)
  async batch(@Input() { tenantId, path, body }: CallOf<typeof routes.batchGraphStore>) {
    const results = await this.app.graphItems.batch({ tenantId, ...path }, body.operations);
    return { results } as OutputOf<typeof routes.batchGraphStore>;
  }
}
