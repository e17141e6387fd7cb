import { Controller, Inject } from '@nestjs/common';
import { routes, type OutputOf } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

const { batchGraphStore } = routes;

/** Items that agent graphs share, for `@turnkeeper/langgraph`. */
@Controller()
export class GraphStoreController {
  constructor(@Inject(APP) private readonly app: Pick<App, 'graphItems'>) {}

  @Route(batchGraphStore)
  async batch(@Input() { tenantId, path, body }: CallOf<typeof batchGraphStore>) {
    const results = await this.app.graphItems.batch({ tenantId, ...path }, body.operations);
    return { results } as OutputOf<typeof batchGraphStore>;
  }
}
