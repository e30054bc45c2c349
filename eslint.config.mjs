// oxlint does the general linting; ESLint holds only what oxlint cannot: module boundaries and floating
// promises.
import nx from '@nx/eslint-plugin';
import tseslint from '@typescript-eslint/eslint-plugin';
import parser from '@typescript-eslint/parser';

const PRODUCT = ['layer:0', 'layer:1', 'layer:2', 'layer:3'];

/** Each layer may import the lower ones; `layer:4` (testing) is for tests, benches and tools. */
const LAYERS = [
  { sourceTag: 'layer:0', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'layer:1', onlyDependOnLibsWithTags: ['layer:0'] },
  { sourceTag: 'layer:2', onlyDependOnLibsWithTags: ['layer:0', 'layer:1'] },
  { sourceTag: 'layer:3', onlyDependOnLibsWithTags: ['layer:0', 'layer:1', 'layer:2'] },
  { sourceTag: 'layer:4', onlyDependOnLibsWithTags: PRODUCT },
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: PRODUCT },
  { sourceTag: 'type:tool', onlyDependOnLibsWithTags: ['type:lib'] },
  // A browser loads the portal. It imports the SDK and pure mathematics, and no service.
  { sourceTag: 'type:portal', onlyDependOnLibsWithTags: ['for:browsers'] },
];
/** Tests may use any library, but no app. */
const IN_TESTS = [{ sourceTag: '*', onlyDependOnLibsWithTags: ['type:lib'] }];

/** The product's version is only in the root package.json, and the generated document of the API is in docs. */
const ROOT_FILES = [
  '../../../package.json',
  '../../../../package.json',
  '../../../../docs/openapi.json',
  '../../tools/bundled-licences.ts',
];

/** The tests of layer 3 use `testing`, which depends on that layer. */
const PLUMBING = ['service-kit', 'event-bus', 'evm', 'protocols', 'local-parts', 'devnet'];
const boundaries = (depConstraints) => [
  'error',
  {
    allow: ROOT_FILES,
    depConstraints,
    ignoredCircularDependencies: PLUMBING.map((library) => [library, 'testing']),
  },
];

/** Browsers and the SDK import `@plimsoll/protocols/math`, so the mathematics imports no I/O. */
const PURE_IMPORTS = {
  patterns: [
    {
      regex: '^(?!@plimsoll/risk-math$|(\\.{1,2}/)+([a-z0-9-]+/)?([a-z0-9]+-)?math$)',
      message: 'The mathematics of a protocol imports only mathematics.',
    },
  ],
};

/** A browser loads the portal. The SDK has the types of the API. */
const PORTAL_IMPORTS = {
  patterns: [
    {
      regex: '^@plimsoll/(?!sdk(?:/verify)?$|risk-math$|protocols/math$)',
      message: 'The portal imports the SDK and pure mathematics only.',
    },
  ],
};

/** pg gives rows without a type the type any. */
const TYPED_ROWS = {
  selector:
    'VariableDeclarator:has(ObjectPattern > Property[key.name="rows"]) > AwaitExpression > CallExpression[callee.property.name="query"]:not([typeArguments])',
  message: 'Name the type of the rows: query<Row>(…).',
};

export default [
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '**/generated/**',
      '.nx/**',
      '.local/**',
      // It imports a client that its test generates.
      'test/generated-clients/typescript/**',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: {
      parser,
      parserOptions: {
        project: ['./tsconfig.json', './apps/portal/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { '@nx': nx, '@typescript-eslint': tseslint },
    rules: {
      '@nx/enforce-module-boundaries': boundaries(LAYERS),
      '@typescript-eslint/no-floating-promises': 'error',
    },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
    rules: { 'no-restricted-syntax': ['error', TYPED_ROWS] },
  },
  {
    files: ['libs/protocols/src/**/math.ts', 'libs/protocols/src/**/*-math.ts'],
    rules: {
      'no-restricted-imports': ['error', PURE_IMPORTS],
      'no-restricted-globals': ['error', 'fetch', 'process', 'require'],
    },
  },
  { files: ['apps/portal/src/**'], rules: { 'no-restricted-imports': ['error', PORTAL_IMPORTS] } },
  {
    files: ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/*.genuine-spec.ts', '**/test/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': boundaries(IN_TESTS) },
  },
];
