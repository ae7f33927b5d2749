import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/test-runner/chromium.ts'

// The whole stack, started as anybody would, on a port and in a folder of its own.
const port = Number((process.env.E2E_PORT ??= '3900'))
const dataDir = (process.env.E2E_DATA_DIR ??= '.test/e2e')
const origin = `http://localhost:${port}`

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: '.test/playwright',
  // Two browsers are kept busy by two cores, and a third one while they wait for blocks and mails.
  workers: 3,
  timeout: 120_000,
  expect: { timeout: 30_000, toPass: { intervals: [100, 250] } },
  forbidOnly: true,
  use: {
    baseURL: origin,
    // `npx playwright test --trace on <file>` records one: recording costs time, and adds scripts to the pages.
    trace: 'off',
    // What fades in takes its time. dashboard.spec.ts and claim-edges.spec.ts take the pages as they move.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findChromium() ?? undefined,
      // Without a UTF-8 locale it calls a file with an umlaut in its name “download”.
      env: { ...(process.env as Record<string, string>), LC_ALL: 'C.UTF-8' },
      args: [
        '--no-sandbox', // root has none, containers often neither; only our own pages are opened
        // Nothing but our own pages: the browser itself calls nobody, and no other name can be resolved.
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-domain-reliability',
        '--disable-sync',
        '--no-first-run',
        '--no-pings',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      ],
    },
  },
  webServer: {
    command: 'node scripts/up.mjs --fresh',
    wait: { stdout: /Ready/ },
    timeout: 300_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    // A test may sign in often, and all of them are one client.
    env: { PORT: String(port), DATA_DIR: dataDir, SIGN_IN_MAILS: '0', RATE_LIMIT_PUBLIC_WRITES: '1000' },
  },
})
