import coreWebVitals from 'eslint-config-next/core-web-vitals'
import typescript from 'eslint-config-next/typescript'

const config = [
  {
    ignores: [
      '.next/',
      '.data/',
      '.test/',
      'generated/',
      'contracts/',
      'next-env.d.ts',
      'playwright-report/',
      'test-results/',
    ],
  },
  ...coreWebVitals,
  ...typescript,
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@next/next/no-assign-module-variable': 'off', // about CommonJS, which is not written here
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // A leading underscore says that a value is there to be left out.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' },
      ],
      'import/no-anonymous-default-export': 'off', // a configuration file needs no name
    },
  },
  // The one place for `any`: tests read an answer's body as it stands on the wire.
  { files: ['tests/**'], rules: { '@typescript-eslint/no-explicit-any': 'off' } },
]
export default config
