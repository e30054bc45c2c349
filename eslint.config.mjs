// oxlint does the general linting; ESLint holds only what oxlint cannot: module boundaries and floating promises.
import nx from '@nx/eslint-plugin';
import tseslint from '@typescript-eslint/eslint-plugin';
import parser from '@typescript-eslint/parser';

/** Each layer may import the lower ones; `layer:4` (testing) is for tests, benches and tools. */
const layers = [
  { sourceTag: 'layer:0', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'layer:1', onlyDependOnLibsWithTags: ['layer:0'] },
  { sourceTag: 'layer:2', onlyDependOnLibsWithTags: ['layer:0', 'layer:1'] },
  { sourceTag: 'layer:3', onlyDependOnLibsWithTags: ['layer:0', 'layer:1', 'layer:2'] },
  { sourceTag: 'layer:4', onlyDependOnLibsWithTags: ['layer:0', 'layer:1', 'layer:2', 'layer:3'] },
  { sourceTag: 'type:tool', onlyDependOnLibsWithTags: ['type:lib'] },
];
const product = ['layer:0', 'layer:1', 'layer:2', 'layer:3'];
const boundaries = (appMayUse) => [
  'error',
  {
    allow: [],
    depConstraints: [...layers, { sourceTag: 'type:app', onlyDependOnLibsWithTags: appMayUse }],
  },
];

export default [
  { ignores: ['**/dist/**', '**/node_modules/**', '**/generated/**', '.nx/**', '.local/**'] },
  {
    files: ['**/*.ts'],
    languageOptions: { parser, parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx, '@typescript-eslint': tseslint },
    rules: {
      '@nx/enforce-module-boundaries': boundaries(product),
      '@typescript-eslint/no-floating-promises': 'error',
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.e2e-spec.ts', '**/test/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': boundaries([...product, 'layer:4']) },
  },
];
