import pg from 'pg'
import { findBroken } from './check.ts'
import { clockMs } from './clock.ts'
import { openDatabaseGate } from './database.ts'
import { makeNetwork } from './network.ts'
import { makePeople } from './people.ts'
import { makeScheduler, runOutside } from './scheduler.ts'
import { makeChain, makeShop } from './set-up.ts'
import { settle } from './settle.ts'
import { runStorm, stormOf } from './storm.ts'
import { swarmOf } from './swarm.ts'
import { makeWeb } from './web.ts'
import { makeWorker } from './workers.ts'

export type SeedResult = {
  seed: number
  steps: number
  hash: string
  counts: Record<string, number>
  /** What is wrong in the end. Empty: all is well. */
  broken: string[]
}

/** Runs one world from its beginning to its end, and looks whether everything that was promised came about. */
export async function runSeed(
  seed: number,
  { database, printed }: { database: string; printed: boolean },
): Promise<SeedResult> {
  const scheduler = makeScheduler(seed, { clock: clockMs, printed })
  const side = new pg.Client({ connectionString: database })
  await side.connect()
  const gate = openDatabaseGate(scheduler, side, clockMs)
  const swarm = swarmOf(seed)
  const network = makeNetwork(seed, scheduler, swarm)
  const web = makeWeb(scheduler)
  let broken: string[]
  try {
    const shop = await makeShop({ network, scheduler, web, gate, swarm })
    const people = makePeople({ seed, scheduler, web, shop, network, swarm })
    const workers = [makeWorker(scheduler, 'worker1', swarm), makeWorker(scheduler, 'worker2', swarm, { slowness: 3 })]
    const chain = makeChain()
    for (const worker of workers) worker.begin(chain)
    const parts = { scheduler, gate, network, people, web, workers, swarm }
    await runStorm(parts, stormOf(scheduler.random))
    const unsettled = await settle(parts, side)
    await gate.setServerClock()
    broken = [...unsettled, ...(await runOutside(() => findBroken({ side, network, people, shop })))]
  } catch (error) {
    broken = [`The simulation itself failed: ${error instanceof Error ? error.stack : String(error)}`]
  }
  network.countLies()
  return {
    seed,
    steps: scheduler.steps(),
    hash: scheduler.traceHash(),
    counts: Object.fromEntries(scheduler.counts),
    broken,
  }
}
