import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../shared/command.mjs';
import { findProgram } from '../shared/programs.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';
import { canInstall, installDebianPackage } from '../servers/debian.mjs';

const folder = join(workspaceRoot, 'tools/chart');

const providePromtool = async () => {
  const found = findProgram(['promtool']);
  if (found !== undefined) return found;
  if (canInstall()) await installDebianPackage(['prometheus'], () => undefined);
  const installed = findProgram(['promtool']);
  if (installed !== undefined) return installed;
  throw new Error(
    'The tests of the alerts need promtool: install Prometheus (Debian: sudo apt-get install prometheus; macOS: brew install prometheus).',
  );
};

describe('the alerts, as Prometheus evaluates them', () => {
  let promtool;
  beforeAll(async () => {
    promtool = await providePromtool();
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
