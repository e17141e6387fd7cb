import { MemoryNotFound, OutOfReach, wholeTenant, type AttributeValue } from '@turnkeeper/domain';
import { expect, it } from 'vitest';
import type { MemoryView, StrategyView } from '../memories/memory-store.port.js';
import { ReadProfile } from './read-profile.js';
import type { RecordView } from './record-reader.port.js';

const STRATEGIES = [
  { strategyId: 's', namespaceTemplate: '/of/{actorId}' },
  { strategyId: 's', namespaceTemplate: '/shared' },
] as StrategyView[];

/** @param records newest first */
const profileOf = async (records: readonly Partial<RecordView>[], known = true, reach = wholeTenant('t')) => {
  const read = new ReadProfile({
    memories: {
      find: () => Promise.resolve(known ? ({} as MemoryView) : null),
      strategies: () => Promise.resolve(STRATEGIES),
    },
    records: { attributesOfActor: () => Promise.resolve(records as RecordView[]) },
  });
  const entries = await read.execute(reach, 'm', 'ada');
  return entries.map(({ attribute: { name, value }, record }) => [record.subject, name, value]);
};
const stating = (name: string, value: string, single = true, subject: string | null = null) => ({
  subject,
  attribute: { name, value, single } satisfies AttributeValue,
});

it('lists attributes by name', async () => {
  expect(await profileOf([stating('plan', 'gold'), stating('city', 'Hue')])).toEqual([
    [null, 'city', 'Hue'],
    [null, 'plan', 'gold'],
  ]);
});

it('lists the last stated of several records of a single value, and each of values that are true together', async () => {
  expect(
    await profileOf([
      stating('plan', 'gold'),
      stating('plan', 'basic'),
      stating('pet', 'Rex', false),
      stating('pet', 'Tom', false),
      stating('pet', 'Rex', false),
    ]),
  ).toEqual([
    [null, 'pet', 'Rex'],
    [null, 'pet', 'Tom'],
    [null, 'plan', 'gold'],
  ]);
});

it("keeps another person's value apart", async () => {
  expect(await profileOf([stating('city', 'Hue'), stating('city', 'Oslo', true, 'my wife')])).toEqual([
    [null, 'city', 'Hue'],
    ['my wife', 'city', 'Oslo'],
  ]);
});

it('is refused for a memory that does not exist', async () => {
  await expect(profileOf([], false)).rejects.toBeInstanceOf(MemoryNotFound);
});

it('leaves out namespaces that a restricted key does not reach, and refuses other actors', async () => {
  const records = [
    { ...stating('city', 'Hue'), namespace: '/of/ada' },
    { ...stating('plan', 'gold'), namespace: '/shared' },
  ];
  const restricted = { ...wholeTenant('t'), actorId: 'ada' };
  expect(await profileOf(records, true, restricted)).toEqual([[null, 'city', 'Hue']]);
  expect(await profileOf(records)).toHaveLength(2);
  await expect(profileOf(records, true, { ...restricted, actorId: 'bob' })).rejects.toBeInstanceOf(OutOfReach);
});
