import { Controller, Inject } from '@nestjs/common';
import { type KeyView, type MadeKey } from '@turnkeeper/application';
import { apiKeyPrefix } from '@turnkeeper/platform';
import { routes } from '@turnkeeper/contracts';
import { boundedListResponse } from '../http/paging.js';
import { Input, Route, type CallOf } from '../http/route.js';
import { APP, type App } from '../composition.js';

const { createKey, listKeys, rotateKey, revokeKey } = routes;

const keyResponse = ({ keyId, scopes, ...key }: KeyView) => ({
  id: keyId,
  prefix: apiKeyPrefix(keyId),
  ...key,
  scopes: [...scopes],
});
const madeResponse = ({ key, token }: MadeKey) => ({ ...keyResponse(key), apiKey: token });

@Controller()
export class KeysController {
  constructor(@Inject(APP) private readonly app: Pick<App, 'manageKeys'>) {}

  @Route(createKey)
  async create(@Input() { path, body }: CallOf<typeof createKey>) {
    return madeResponse(await this.app.manageKeys.create(path.tenantId, body));
  }

  @Route(listKeys)
  async list(@Input() { path, query }: CallOf<typeof listKeys>) {
    const rows = await this.app.manageKeys.list(path.tenantId);
    const keyOf = ({ createdAt, keyId }: KeyView): string => `${createdAt}_${keyId}`;
    return boundedListResponse({ rows, query, keyOf, order: 'descending', row: keyResponse });
  }

  @Route(rotateKey)
  async rotate(@Input() { path, body }: CallOf<typeof rotateKey>) {
    return madeResponse(await this.app.manageKeys.rotate(path.tenantId, path.keyId, body.overlapHours));
  }

  @Route(revokeKey)
  revoke(@Input() { path }: CallOf<typeof revokeKey>) {
    return this.app.manageKeys.revoke(path.tenantId, path.keyId);
  }
}
