import { describe, expect, it } from 'vitest';
import { faultsOf } from './race.mjs';

const race = { agentId: 'a', acknowledged: ['1', '2', '3'], wrong: [] };
const histories = (standard, agora = standard) => ({ bodiesOf: (format) => (format === 'agora' ? agora : standard) });

describe('the check of a stop', () => {
  it('accepts each acknowledged message once and in order, in every delivery', () => {
    expect(faultsOf(race, histories([['1', '2', '3']]))).toEqual([]);
    expect(faultsOf(race, histories(Array(3).fill(['1', '2', '3'])))).toEqual([]);
    expect(faultsOf({ ...race, acknowledged: [] }, histories([[]]))).toEqual([]);
  });

  it.each([
    ['a missing message', [['1', '3']], 'missing 2'],
    ['a repeated message', [['1', '2', '2', '3']], 'repeated in 1, 2, 2, 3'],
    ['a message that was not acknowledged', [['1', '2', '3', '4']], 'never acknowledged: 4'],
    ['another order', [['1', '3', '2']], 'out of order: 1, 3, 2'],
    ['a wrong second delivery', [['1', '2', '3'], ['1']], 'missing 2, 3'],
    ['no delivery', [], 'no history'],
  ])('finds %s', (_, agora, fault) => {
    expect(faultsOf(race, histories([['1', '2', '3']], agora))).toEqual([`agent a: agora: ${fault}`]);
  });

  it('reports answers that are neither an acknowledgement nor a refusal', () => {
    expect(faultsOf({ ...race, wrong: ['404 {}'] }, histories([['1', '2', '3']]))).toEqual(['agent a: 404 {}']);
  });
});
