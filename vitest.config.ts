import { defineConfig } from 'vitest/config';
import { runElsewhere } from './tools/verify/split-journeys.mjs';

/**
 * Workspace packages are read from their sources, so that a test never runs against a stale build. `import` and `require`
 * are not named: these conditions reach Node itself, which would then take the ESM build where CommonJS asks (pg).
 */
const conditions = ['@turnkeeper/source', 'node'];
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
};

/**
 * Files share their imports, which take longer than many a test. No test replaces a module, and none depends on the state
 * of one: `--sequence.shuffle` finds such a test.
 */
const SHARED_MODULES = { isolate: false };

const journeys = {
  ...SHARED_MODULES,
  /** After each file: no process has written content or a secret. */
  setupFiles: ['apps/e2e/src/harness/no-leaks.setup.ts'],
  testTimeout: 180_000,
  hookTimeout: 180_000,
  fileParallelism: false,
};
/** Journeys of ingest without a worker. There is no queue in them, so they run once and not on each queue backend. */
const INGEST_ALONE = 'apps/e2e/src/**/*.ingest.e2e.spec.ts';
/** The Python package against a whole product, once. */
const PYTHON = 'apps/e2e/src/**/*.python.e2e.spec.ts';

export default defineConfig({
  ...shared,
  test: {
    reporters: ['default'],
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: ['{libs,apps,tools,bench}/**/*.spec.{ts,mjs}'],
          exclude: ['**/*.int.spec.*', '**/*.e2e.spec.*', '**/*.runtime.spec.*', '**/node_modules/**', '**/dist/**'],
          // It imports JSON without an import attribute, which Node refuses.
          server: { deps: { inline: [/@actions\/workflow-parser/] } },
          ...SHARED_MODULES,
          // A busy machine is no failure. What must not take long is measured in CPU time.
          testTimeout: 30_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'int',
          include: ['{libs,apps,tools}/**/*.int.spec.{ts,mjs}'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          ...SHARED_MODULES,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'runtimes',
          include: ['{libs,apps}/**/*.runtime.spec.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          testTimeout: 180_000,
        },
      },
      {
        ...shared,
        test: { name: 'chart', include: ['tools/chart/*.check.mjs'], testTimeout: 60_000 },
      },
      {
        ...shared,
        test: { name: 'docs', include: ['tools/docs-site/*.check.mjs'], testTimeout: 180_000 },
      },
      {
        ...shared,
        test: {
          name: 'fresh-clone',
          include: ['tools/verify/*.check.mjs'],
          testTimeout: 600_000,
          hookTimeout: 180_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'e2e',
          include: ['apps/e2e/src/**/*.e2e.spec.ts'],
          exclude: [INGEST_ALONE, PYTHON, ...runElsewhere(process.env), '**/node_modules/**', '**/dist/**'],
          ...journeys,
        },
      },
      {
        ...shared,
        test: {
          name: 'e2e-ingest',
          include: [INGEST_ALONE],
          exclude: ['**/node_modules/**', '**/dist/**'],
          env: { TK_E2E_QUEUE: 'none' },
          ...journeys,
        },
      },
      {
        ...shared,
        test: { name: 'python', include: [PYTHON], ...journeys },
      },
    ],
  },
});
