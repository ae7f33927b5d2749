import { type ChildProcess, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseAbiItem, type Address } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { CrashPoint } from '../../../lib/core/crash.ts'
import { newId } from '../../../lib/core/id.ts'
import { systemClient } from '../../../lib/db/client.ts'
import { freeStackPort } from '../../../scripts/launcher/ports.ts'
import { startChain } from '../../support/chain.ts'
import { atFileEnd } from '../../support/file-end.ts'
import { startMailbox } from '../../support/mailbox.ts'
import { startSmtpServer } from '../../support/mail-servers.ts'
import type { TestOrganization } from '../../support/organization.ts'
import type { OwnPostgres } from '../../support/own-postgres.ts'
import { startReceiver } from '../../support/receiver.ts'
import type { Kind, Order } from './process.ts'
import { arm, isAlive, load, NOTHING, type Running } from './processes.ts'

export type Victim = Kind | 'postgres'
export type Stage = Awaited<ReturnType<typeof startStage>>
type Answer = { status: number; body: any } // stories read the wire body untyped

const KINDS = ['web', 'worker'] as const
/** How long a run waits for what must happen in the end. */
const PATIENCE_MS = 120_000
/**
 * What took longer than this waits for a lease of something that died; leases end then, since nobody waits for them in
 * a test.
 */
const HURRY_MS = 4_000

const MINT = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 indexed id)')

/**
 * What all runs share: a chain, mail servers, a receiver of webhooks, PostgreSQL, a web process and a worker, which are
 * replaced when they die.
 */
export async function startStage(postgres: OwnPostgres) {
  const chain = await startChain({ blockTime: 1 })
  const mailbox = await startMailbox()
  const ownMail = await startSmtpServer({ tls: 'none' })
  const operator = await startReceiver()
  atFileEnd(() => operator.close())
  const media = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-media-'))
  atFileEnd(() => fs.rmSync(media, { recursive: true, force: true }))
  // Nobody is given this port while the web process is away.
  const port = await freeStackPort()
  const env = {
    ...process.env,
    ...chain.env,
    PORT: String(port),
    ORIGIN: `http://localhost:${port}`,
    SMTP_URL: mailbox.url,
    MEDIA_DIR: media,
    OPERATOR_WEBHOOK_URL: operator.url,
    OPERATOR_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  }

  const spare: Record<Kind, Running> = { web: load('web', env), worker: load('worker', env) }
  const running = {} as Record<Kind, Running>
  /** Begins the process that stands ready in place of the one before, and loads the next. */
  async function begin(kind: Kind, order = NOTHING): Promise<void> {
    running[kind] = spare[kind]
    spare[kind] = load(kind, env)
    await arm(running[kind], order)
  }

  /** Replaces a process, so that what it does at its start is done once more. `between` is done while there is none. */
  async function replace(kind: Kind, order: Order, between?: () => Promise<unknown>): Promise<void> {
    const { child, ended } = running[kind]
    child.kill('SIGKILL')
    await ended
    await between?.()
    await endLeasesOf(kind)
    await begin(kind, order)
  }

  /** What waits for deaths in a run that has failed waits no more. */
  let runs = 0

  /** A process dies at these points, one after the other, and is replaced each time. */
  async function killAt(kind: Kind, points: readonly CrashPoint[]): Promise<void> {
    const run = runs
    for (let at = 0; at < points.length; at++) {
      const end = await running[kind].ended
      if (run !== runs) return
      if (end.signal !== 'SIGKILL') throw new Error(`The ${kind} process ended by itself: ${JSON.stringify(end)}.`)
      await endLeasesOf(kind)
      await begin(kind, { crashAt: points[at + 1] ?? '', stopAt: [] })
    }
  }

  /**
   * PostgreSQL dies while a process stands at these points, one after the other; the process goes on when PostgreSQL is
   * back. `acted` is given where the process may lose nothing by a death: once it has ended, no further point is waited
   * for.
   */
  async function killPostgresAt(kind: Kind, points: readonly CrashPoint[], acted?: Promise<unknown>): Promise<void> {
    const run = runs
    let hasActed = false
    acted?.then(
      () => (hasActed = true),
      () => undefined, // the run fails by it
    )
    for (const at of points.keys()) {
      const { child } = running[kind]
      while (!isStopped(child)) {
        if (at > 0 && hasActed) return arm(running[kind], NOTHING)
        if (!isAlive(running[kind])) throw new Error(`The ${kind} process ended.`)
        await wait(10)
        if (run !== runs) return
      }
      await postgres.kill()
      child.kill('SIGCONT')
    }
  }

  /** Repeats a request, with one Idempotency-Key, until something is there that answers it. */
  async function request(
    method: string,
    url: string,
    { organization, body }: { organization?: TestOrganization | undefined; body?: object | undefined } = {},
  ): Promise<Answer> {
    const key = newId()
    return eventually(`The answer to ${method} ${url}`, async () => {
      await db().idempotencyRecord.updateMany({ where: { key, status: null }, data: { leaseEnds: new Date(0) } })
      const response = await fetch(`http://127.0.0.1:${port}${url}`, {
        method,
        headers: {
          ...(organization && { authorization: `Bearer ${organization.key}` }),
          ...(method === 'POST' && { 'idempotency-key': key }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = (response.headers.get('content-type') ?? '').includes('json')
      const answer: Answer = { status: response.status, body: isJson && text ? JSON.parse(text) : text }
      return ['unavailable', 'idempotency_in_flight', 'overloaded'].includes(answer.body?.code) ? null : answer
    })
  }

  const post = (organization: TestOrganization | undefined, url: string, body?: object): Promise<Answer> =>
    request('POST', url, { organization, body })

  /** The mints and transfers of an ERC-721 contract. */
  const movesOf = async (contract: Address) =>
    (await chain.client.getLogs({ address: contract, event: MINT, fromBlock: 0n })).map(({ args }) => ({
      id: Number(args.id),
      to: args.to!,
    }))

  /** Begins both processes anew, after a run that failed. */
  async function renew(): Promise<void> {
    runs++
    for (const kind of KINDS) await replace(kind, NOTHING)
  }

  for (const kind of KINDS) await begin(kind)
  await until('The web process', async () => Boolean(await fetch(`http://127.0.0.1:${port}/public/v1/collections`)))
  return {
    chain,
    mailbox,
    ownMail,
    operator,
    arm: (kind: Kind, order: Order) => arm(running[kind], order),
    replace,
    renew,
    killAt,
    killPostgresAt,
    /** Whether both processes run. */
    isWhole: () => Object.values(running).every(isAlive),
    request,
    post,
    movesOf,
  }
}

const db = () => systemClient()

/** Whether a process stands still after SIGSTOP. */
function isStopped({ pid }: ChildProcess): boolean {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.startsWith('T')
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')
  return fields.startsWith('T')
}

/** Ends what a dead process has leased. There is no other of its kind. */
async function endLeasesOf(kind: Kind): Promise<void> {
  await until('The end of leases', async () => {
    if (kind === 'worker') await db().$executeRaw(Prisma.sql`UPDATE leases SET expires_at = to_timestamp(0)`)
    await endLeasesOfRows()
    return true
  })
}

async function endLeasesOfRows(): Promise<void> {
  const past = new Date(0)
  await db().outboxMessage.updateMany({ where: { state: 'PENDING' }, data: { sendingUntil: null } })
  await db().webhookDelivery.updateMany({ where: { state: 'PENDING' }, data: { postingUntil: null } })
  await db().alarmNotice.updateMany({ where: { toldAt: null }, data: { postingUntil: null } })
  await db().idempotencyRecord.updateMany({ where: { status: null }, data: { leaseEnds: past } })
  await db().$executeRaw(Prisma.sql`UPDATE jobs SET due_at = now() WHERE lease IS NOT NULL`)
}

/**
 * Waits until `test` gives something. While what it needs is away, it is tried again; in the end its last error is
 * told.
 */
export async function until<T>(
  what: string,
  test: () => Promise<T | null | undefined | false>,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (let last: unknown; ;) {
    try {
      const value = await test()
      if (value) return value
      last = undefined
    } catch (error) {
      last = error
    }
    if (Date.now() > deadline) throw new Error(`${what} did not happen.`, { cause: last })
    await wait(50)
  }
}

/** The same for what may wait for a lease of something that died. */
export async function eventually<T>(what: string, test: () => Promise<T | null | undefined | false>): Promise<T> {
  let hurriedAt = Date.now()
  return until(what, async () => {
    const value = await test().catch((error: unknown) => {
      if (Date.now() - hurriedAt < HURRY_MS) throw error
      return null
    })
    if (value || Date.now() - hurriedAt < HURRY_MS) return value
    hurriedAt = Date.now()
    await endLeasesOfRows()
    return null
  })
}
