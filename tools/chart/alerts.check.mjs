import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../shared/command.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';
import { program } from '../drills/programs.mjs';

const folder = join(workspaceRoot, 'tools/chart');

describe('the alerts, as Prometheus evaluates them', () => {
  let promtool;
  beforeAll(async () => {
    promtool = await program('promtool', 'prometheus');
  }, 180_000);

  it.each([
    ['are valid', ['check', 'rules', '../../deploy/helm/turnkeeper/monitoring/alerts.yaml']],
    ['tell two installations apart, and one that fails alone', ['test', 'rules', 'alerts.test.yaml']],
  ])('%s', async (_, args) => {
    const { code, output } = await run(promtool, args, { cwd: folder });
    expect(output).toContain('SUCCESS');
    expect(code).toBe(0);
  });
});
