import { readFileSync } from 'node:fs';
import type { StatusSource } from '@turnkeeper/platform';
import { appliedMigrations, PgParkedWorkStore, PgWorkGauges } from '@turnkeeper/postgres';
import type { Runtime } from './runtime.js';

/** What `/status` of a service says, and where changes of its dependencies are logged. */
export const statusSource = (
  service: 'ingest' | 'worker',
  {
    dataSource,
    failures,
    logger,
    embedders,
    eventStore,
    settings,
  }: Pick<Runtime, 'dataSource' | 'failures' | 'logger' | 'embedders' | 'eventStore' | 'settings'>,
): StatusSource => {
  const gauges = new PgWorkGauges(dataSource);
  const parkedWork = new PgParkedWorkStore(dataSource);
  return {
    process: { service, version: VERSION, node: process.versions.node },
    failures,
    installation: async () => {
      const [{ lags, due }, parked, migrations, notEmbedded] = await Promise.all([
        gauges.read(),
        parkedWork.counts(),
        appliedMigrations(dataSource),
        eventStore.vectors?.behind(),
      ]);
      const search =
        notEmbedded === undefined
          ? { by: 'words' }
          : { by: 'words and meaning', model: embedders?.current.model, eventsNotEmbedded: notEmbedded };
      const behind = lags
        .filter(({ seconds }) => seconds > settings.FOLLOWER_LAG_SECONDS)
        .map(({ follower }) => follower);
      return { migrations, lags, behind, due, parked, search };
    },
    onChange: (dependency, up, error) => {
      if (up) logger.info({ dependency }, 'dependency.up');
      else logger.warn({ dependency, err: error }, 'dependency.down');
    },
  };
};

/** Of the release. */
const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string }
).version;
