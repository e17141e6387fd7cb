import { expect, it } from 'vitest';
import { HELP, usageOf } from './usage.js';

it('lists every command, those of a group, and the options of one', () => {
  for (const name of Object.keys(HELP)) {
    expect(usageOf()).toContain(`  ${name} `);
    expect(usageOf(name.split(' '))).toContain(`Usage: turnkeeper ${name} ${HELP[name]?.args}`.trimEnd());
  }
  expect(usageOf(['key'])).toContain('key rotate');
  expect(usageOf(['key'])).not.toContain('memory list');
  expect(usageOf(['migrate'])).toContain('DATABASE_URL');
  expect(usageOf(['search', 'something', '--json'])).toContain('TURNKEEPER_URL');
});
