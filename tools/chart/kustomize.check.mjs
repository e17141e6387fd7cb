import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseFiles, baseFolder, baseObjects, kustomize, SECRET } from './kustomize.mjs';
import { modelFaults } from './models.mjs';
import { policyFaults } from './policies.mjs';

const nameOf = ({ kind, metadata }) => `${kind}/${metadata.name}`;
const byName = (objects) => Object.fromEntries(objects.map((object) => [nameOf(object), object]));

describe('the Kustomize base', () => {
  it('is what the chart renders (npm run kustomize)', () => {
    for (const [name, contents] of Object.entries(baseFiles()))
      expect(readFileSync(join(baseFolder, name), 'utf8'), name).toBe(contents);
  });

  it('builds to the same objects, which are valid and follow the policies', () => {
    const built = kustomize(baseFolder);
    expect(byName(built)).toEqual(byName(baseObjects()));
    expect(built.flatMap(modelFaults)).toEqual([]);
    expect(policyFaults(built)).toEqual([]);
  });

  it('holds nothing that only Helm understands', () => {
    expect(JSON.stringify(baseObjects())).not.toMatch(/helm/i);
  });

  it('takes a namespace, a registry and a Secret from an overlay, as its README shows', () => {
    const readme = readFileSync(join(baseFolder, '..', 'README.md'), 'utf8');
    const [, overlay] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? ['', ''];
    const folder = mkdtempSync(join(tmpdir(), 'overlay-'));
    try {
      writeFileSync(join(folder, 'kustomization.yaml'), overlay.replace('../base', relative(folder, baseFolder)));
      const built = kustomize(folder);
      const ingest = built.find((object) => nameOf(object) === 'Deployment/turnkeeper-ingest');
      expect(ingest.metadata.namespace).toBe('memory');
      expect(ingest.spec.template.spec.containers[0].image).toMatch(
        /^registry\.example\.com\/turnkeeper-ingest@sha256:/,
      );
      const secret = built.find(({ kind }) => kind === 'Secret');
      expect(secret.metadata.name).toMatch(new RegExp(`^${SECRET}-`));
      const names = ingest.spec.template.spec.containers[0].envFrom.map(({ secretRef }) => secretRef?.name);
      expect(names).toContain(secret.metadata.name);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
