import { expect, it } from 'vitest';
import { ManageConnectors } from './manage-connectors.js';

type Deps = ConstructorParameters<typeof ManageConnectors>[0];

/** Maps an instance in a store that refuses it, and deletes the connector meanwhile or not. */
const mapRefused = ({ deleted }: { readonly deleted: boolean }): Promise<void> => {
  let exists = true;
  const connectors = {
    find: async () => (exists ? {} : null),
    mapInstance: async () => {
      exists = !deleted;
      return false;
    },
  } as unknown as Deps['connectors'];
  const manage = new ManageConnectors({ connectors, mostMappings: async () => 2 } as unknown as Deps);
  return manage.mapInstance('tenant', 'connector', { instanceId: 'i', actorId: 'ada', sessionId: 'monday' });
};

it('tells a connector that was deleted meanwhile from a reached limit', async () => {
  await expect(mapRefused({ deleted: true })).rejects.toMatchObject({ code: 'connector.not_found' });
  await expect(mapRefused({ deleted: false })).rejects.toMatchObject({ code: 'tenant.too_many_mappings' });
});
