import { Controller, Inject } from '@nestjs/common';
import { routes, type OutputOf } from '@turnkeeper/contracts';
import type { PgGraphItems } from '@turnkeeper/postgres';
import { Input, Route, type CallOf } from '../http/route.js';
import { GRAPH_ITEMS } from '@turnkeeper/runtime/nest';

const { batchGraphStore } = routes;

/** Items that agent graphs share, for `@turnkeeper/langgraph`. */
@Controller()
export class GraphStoreController {
  constructor(@Inject(GRAPH_ITEMS) private readonly items: PgGraphItems) {}

  @Route(batchGraphStore)
  async batch(@Input() { tenantId, path, body }: CallOf<typeof batchGraphStore>) {
    const results = await this.items.batch({ tenantId, ...path }, body.operations);
    return { results } as OutputOf<typeof batchGraphStore>;
  }
}
