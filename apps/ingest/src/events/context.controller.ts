import { Controller, Inject } from '@nestjs/common';
import { routes } from '@turnkeeper/contracts';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

@Controller()
export class ContextController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.buildContext)
  async build(@Input() { tenantId, reach, path, body }: CallOf<typeof routes.buildContext>) {
    const scope = { tenantId, ...path, sessionId: body.sessionId };
    const { text, tokens, items } = await this.app.buildContext.execute(reach, scope, body.query, body.budget);
    const views = items.map(({ kind, id, at, side, text: said, eventIds }, index) => ({
      ref: index + 1,
      kind,
      id,
      at,
      side,
      text: said,
      eventIds: [...eventIds],
    }));
    return { text, tokens, items: views };
  }
}
