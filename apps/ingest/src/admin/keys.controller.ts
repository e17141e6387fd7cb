import { Controller, Inject } from '@nestjs/common';
import { ManageKeys, type KeyView, type MadeKey } from '@turnkeeper/application';
import { apiKeyPrefix } from '@turnkeeper/platform';
import { routes, type InputOf, type OutputOf } from '@turnkeeper/contracts';
import { boundedListResponse } from '../http/paging.js';
import { Input, Route } from '../http/route.js';

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
  constructor(@Inject(ManageKeys) private readonly keys: ManageKeys) {}

  @Route(createKey)
  async create(@Input(createKey) { path, body }: InputOf<typeof createKey>): Promise<OutputOf<typeof createKey>> {
    return madeResponse(await this.keys.create(path.tenantId, body));
  }

  @Route(listKeys)
  async list(@Input(listKeys) { path, query }: InputOf<typeof listKeys>): Promise<OutputOf<typeof listKeys>> {
    const rows = await this.keys.list(path.tenantId);
    const keyOf = ({ createdAt, keyId }: KeyView): string => `${createdAt}_${keyId}`;
    return boundedListResponse({ rows, query, keyOf, order: 'descending', row: keyResponse });
  }

  @Route(rotateKey)
  async rotate(@Input(rotateKey) { path, body }: InputOf<typeof rotateKey>): Promise<OutputOf<typeof rotateKey>> {
    return madeResponse(await this.keys.rotate(path.tenantId, path.keyId, body.overlapHours));
  }

  @Route(revokeKey)
  revoke(@Input(revokeKey) { path }: InputOf<typeof revokeKey>): Promise<void> {
    return this.keys.revoke(path.tenantId, path.keyId);
  }
}
