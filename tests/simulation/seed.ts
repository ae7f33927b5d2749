// One seed in a process of its own, started by main.ts. The surroundings are replaced before anything of the product is
// loaded.
import { installChance } from './chance.ts'
import { installClock } from './clock.ts'
import { plantDefect } from './plant-defect.ts'

const [seed, database, trace, defect] = process.argv.slice(2)
if (defect) plantDefect(defect)
const url = new URL(database!)
Object.assign(process.env, {
  NODE_ENV: 'test',
  MIGRATE_DATABASE_URL: database,
  DATABASE_URL: Object.assign(new URL(url), { username: 'test', password: 'test-logins' }).toString(),
  DATABASE_POOL: '40',
  SERVER_KEY: 'a1'.repeat(32),
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  PROOF_OF_WORK: 'off',
  OPEN_INTENTS_PER_BUYER: '0',
  OPEN_INTENTS_PER_CLIENT: '0',
  REQUEST_SECONDS: '0',
  ...Object.fromEntries(
    ['PUBLIC_READS', 'PUBLIC_WRITES', 'CARD_WEBHOOKS', 'ADMIN_FAILURES', 'ADMIN'].map((limit) => [
      `RATE_LIMIT_${limit}`,
      '0',
    ]),
  ),
})
installClock()
installChance(Number(seed))
const { runSeed } = await import('./run-seed.ts')
const result = await runSeed(Number(seed), { database: database!, printed: trace === 'trace' })
process.stdout.write(`\n${JSON.stringify(result)}\n`, () => process.exit(0))
