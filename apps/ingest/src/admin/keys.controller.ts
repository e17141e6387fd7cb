import { Controller, Inject } from '@nestjs/common';
import { type KeyView, type MadeKey } from '@turnkeeper/application';
import { apiKeyPrefix } from '@turnkeeper/platform';
import { routes } from '@turnkeeper/contracts';
import { boundedListResponse } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

const keyResponse = ({ keyId, scopes, ...key }: KeyView) => ({
  id: keyId,
  prefix: apiKeyPrefix(keyId),
  ...key,
  scopes: [...scopes],
});
const madeResponse = ({ key, token }: MadeKey) => ({ ...keyResponse(key), apiKey: token });

@Controller()
export class KeysController {
  constructor(@Inject(APP) private readonly app: App) {}

  @Route(routes.createKey)
  async create(@Input() { path, body }: CallOf<typeof routes.createKey>) {
    return madeResponse(await this.app.manageKeys.create(path.tenantId, body));
  }

  @Route(routes.listKeys)
  async list(@Input() { path, query }: CallOf<typeof routes.listKeys>) {
    const rows = await this.app.manageKeys.list(path.tenantId);
    const keyOf = ({ createdAt, keyId }: KeyView): string => `${createdAt}_${keyId}`;
    return boundedListResponse({ rows, query, keyOf, order: 'descending', row: keyResponse });
  }

  @Route(routes.rotateKey)
  async rotate(@Input() { path, body }: CallOf<typeof routes.rotateKey>) {
    return madeResponse(await this.app.manageKeys.rotate(path.tenantId, path.keyId, body.overlapHours));
  }

  @Route(routes.revokeKey)
  revoke(@Input() { path }: CallOf<typeof routes.revokeKey>) {
    return this.app.manageKeys.revoke(path.tenantId, path.keyId);
  }
}
