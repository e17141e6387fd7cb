import { describe, expect, it } from 'vitest';
import { beforeAndAfter, upgradeFaults } from './upgrade.mjs';

const { before, after } = beforeAndAfter();
const planted = (plant) => {
  const changed = beforeAndAfter().after;
  plant(changed, (name) => changed.find(({ kind, metadata }) => `${kind}/${metadata.name}` === name));
  return upgradeFaults(before, changed);
};

describe('helm upgrade from the last release', () => {
  it('with its values changes nothing that cannot be changed, and deletes nothing', () => {
    expect(before.length).toBeGreaterThan(20);
    expect(upgradeFaults(before, after)).toEqual([]);
  });

  it.each([
    [
      'a selector',
      (_, get) => (get('Deployment/release-turnkeeper-ingest').spec.selector.matchLabels.tier = 'api'),
      /^Deployment\/release-turnkeeper-ingest: selector cannot/,
    ],
    [
      'the volumes of a trial server',
      (_, get) => (get('StatefulSet/release-turnkeeper-postgres').spec.volumeClaimTemplates[0].metadata.name = 'disk'),
      /volumeClaimTemplates cannot/,
    ],
    [
      'the name of an object',
      (_, get) => (get('Service/release-turnkeeper-ingest').metadata.name = 'api'),
      /^Service\/release-turnkeeper-ingest: would be deleted/,
    ],
    [
      'the version of an object',
      (_, get) => (get('PodDisruptionBudget/release-turnkeeper-worker').apiVersion = 'policy/v1beta1'),
      /another apiVersion/,
    ],
    [
      'a default setting',
      (objects) => delete objects.find(({ kind, data }) => kind === 'ConfigMap' && data.LOG_LEVEL).data.LOG_LEVEL,
      /LOG_LEVEL would be lost/,
    ],
  ])('would find a change of %s', (_, plant, fault) => expect(planted(plant).join('\n')).toMatch(fault));
});
