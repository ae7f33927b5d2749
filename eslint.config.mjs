import next from 'eslint-config-next/core-web-vitals'
import typescript from 'typescript-eslint'
import { loneText } from './scripts/lint/lone-text.ts'

// The rules for React and Next cost a compilation of each file, and only these have components and hooks.
const withComponents = ['app/**/*.tsx', 'components/**/*.{ts,tsx}']

const config = [
  {
    ignores: [
      '.next/',
      '.data/',
      '.test/',
      'generated/',
      'contracts/',
      'public/embed.js', // sent to browsers as it is
      'packages/client/build/',
      'packages/stand-ins/', // of a line each
      'next-env.d.ts',
      'playwright-report/',
      'test-results/',
    ],
  },
  ...next.map((part) => (part.ignores ? part : { ...part, files: withComponents })),
  ...typescript.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'object-shorthand': 'error',
      // Prettier leaves comments as they are.
      'max-len': ['error', { code: 100_000, comments: 120, ignoreUrls: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // A leading underscore says that a value is there to be left out.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' },
      ],
    },
  },
  {
    files: withComponents,
    rules: {
      '@next/next/no-assign-module-variable': 'off', // about CommonJS, which is not written here
    },
  },
  {
    files: ['{app,components}/**/*.tsx'],
    // Of all rules here, this one alone asks for types; .oxlintrc.json has the others.
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    plugins: { vitrine: { rules: { 'lone-text': loneText } } },
    rules: { 'vitrine/lone-text': 'error' },
  },
  {
    files: ['{app,components,lib}/**'],
    // The first is generated. Next reads the other before it runs, so its texts can't be joined.
    ignores: ['lib/core/contracts/abi.ts', 'app/fonts/fonts.ts'],
    // Nor does it break texts, such as statements.
    rules: { 'max-len': ['error', { code: 120, comments: 120, ignoreUrls: true, ignoreRegExpLiterals: true }] },
  },
  {
    files: ['app/**', 'lib/**'],
    ignores: ['lib/core/clock.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.object.name='Date'][callee.property.name='now'], NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'A host’s clock may be wrong: take the time of a Clock, and measure durations by performance.now().',
        },
      ],
    },
  },
  {
    files: ['{lib,scripts}/**/*.ts'],
    ignores: ['lib/db/{database-client,client}.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['Client', 'Pool'].map((property) => ({
          object: 'pg',
          property,
          message: 'Its loss may end the process: make a DatabaseClient (lib/db/database-client.ts).',
        })),
      ],
    },
  },
  {
    files: ['components/**'],
    ignores: [
      'components/shared/server-clock.ts',
      'components/shared/browser-storage.ts',
      'components/checkout/secret.ts',
    ],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.object.name='Date'][callee.property.name='now'], NewExpression[callee.name='Date'][arguments.length=0], MemberExpression[property.name='dataUpdatedAt']",
          message: 'A device’s clock may be wrong: count from `serverNow()` (components/shared/server-clock.ts).',
        },
        {
          selector:
            "CallExpression[callee.name='addEventListener'][arguments.length=2][arguments.0.value=/^(key|focus|pointer|mouse|click|input|submit)/], CallExpression[callee.object.name=/^(document|window)$/][callee.property.name='addEventListener'][arguments.length=2][arguments.0.value=/^(key|focus|pointer|mouse|click|input|submit)/]",
          message:
            'Capture it: React stops the propagation of what reaches a part of the page that it has not hydrated yet.',
        },
      ],
      'no-restricted-globals': [
        'error',
        ...['localStorage', 'sessionStorage', 'indexedDB'].map((name) => ({
          name,
          message: 'It throws where site data is blocked: use components/shared/browser-storage.ts.',
        })),
      ],
    },
  },
  {
    files: ['tests/**'],
    rules: {
      // The one place for `any`: tests read an answer's body as it stands on the wire.
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
]
export default config
