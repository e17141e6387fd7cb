import { createDataSource, createEventStore } from '@turnkeeper/postgres';
import { RandomLife } from './random-life.js';

interface FrozenLife {
  readonly databaseUrl: string;
  readonly seed: string;
  readonly happenings: number;
}

/**
 * Everything that writes to the log, in random order.
 *
 * @param during runs the disturbed part
 */
export const liveWhile = async (
  { databaseUrl, seed, happenings }: FrozenLife,
  during: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Record<string, number>> => {
  const dataSource = createDataSource({ url: databaseUrl, poolSize: 4 });
  await dataSource.initialize();
  const eventStore = createEventStore({ databaseUrl, readers: 2 });
  const life = new RandomLife(dataSource, eventStore, seed);
  await life.begin();
  const happened = await during(() => life.live(happenings));
  await eventStore.close();
  await dataSource.destroy();
  return happened;
};
