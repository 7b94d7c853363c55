import eslint from '@eslint/js';
import jest from 'eslint-plugin-jest';
import node from 'eslint-plugin-n';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', '**/build/', 'node_modules/', 'coverage/', 'spec/package/fixture/'] },
  {
    files: ['**/*.ts'],
    extends: [eslint.configs.recommended, ...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    // The types are those of the newest Node 20; package.json promises the oldest. What is ignored has a fallback.
    files: ['lib/**/*.ts'],
    plugins: { n: node },
    rules: {
      'n/no-unsupported-features/node-builtins': [
        'error',
        { ignores: ['zlib.crc32', 'zlib.zstdDecompressSync'] },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'AbortSignal', property: 'any', message: 'There is none before Node 20.3.' },
      ],
    },
  },
  {
    files: ['spec/**/*.spec.ts'],
    extends: [jest.configs['flat/recommended']],
    rules: { 'jest/no-standalone-expect': 'off' },
  },
  prettier,
);
