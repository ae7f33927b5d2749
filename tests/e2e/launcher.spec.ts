import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { createPublicClient, createTestClient, http } from 'viem'
import { foundry } from 'viem/chains'
import { isAlive, type Trace, traceOf } from '../../scripts/launcher/file-lock.mjs'
import { freeStackPort } from '../../scripts/launcher/ports.ts'
import { stackIn, type Stack } from './support/stack.ts'
import { expect, test } from './support/test.ts'

// A second sandbox beside the one that all other tests use, with its own folder and ports.
const dataDir = path.resolve('.test/second')

type Copy = { process: ChildProcess; output: () => string; stack: () => Stack; ended: Promise<number | null> }

async function start(port: number): Promise<Copy> {
  const child = spawn(process.execPath, ['scripts/up.mjs', '--port', String(port)], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  await expect.poll(() => (child.exitCode === null ? output.includes('Ready') : output), { timeout: 60_000 }).toBe(true)
  return { process: child, output: () => output, stack: () => stackIn(dataDir), ended }
}

/** Runs `npm run verify` against the second sandbox. */
function verify() {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/verify.ts'], {
    env: { ...process.env, DATA_DIR: dataDir },
    encoding: 'utf8',
  })
  return { status, output: (status === 0 ? stdout : stdout + stderr).trim() }
}

/** While PostgreSQL is away pages fail, and Next writes why. */
async function expectNoSecretInLogs(stack: () => Stack): Promise<void> {
  const { origin, pids, demo } = stack()
  const token = demo.claim_url.split('/').at(-1)!
  const [other, mailbox] = ['unsubscribe-and-mails-and-handover-0123456789', 'mia.moon@shop.example']
  const paths = [
    `/claim/${token}`,
    `/h/${other}`,
    `/mails/${other}`,
    `/unsubscribe/${other}`,
    `/claims?email=${mailbox}`,
  ]
  process.kill(pids.launcher, 'SIGSTOP') // it would start PostgreSQL again
  kill(pids.postgres)
  for (const path of paths) await fetch(`${origin}${path}`, { redirect: 'manual' })
  process.kill(pids.launcher, 'SIGCONT')
  await expect.poll(() => keyOf(stack()).then(({ status }) => status)).toBe(200)

  const folder = path.join(dataDir, 'logs')
  const logs = fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
  expect(logs.join('\n')).toMatch(/⨯[^\n]*\[redacted\]/) // a line of Next
  for (const secret of [token, other, mailbox]) expect(logs.filter((text) => text.includes(secret))).toEqual([])
}

const tracesOf = (stack: Stack): Trace[] => Object.values(stack.pids).map((pid) => traceOf(pid)!)
const kill = (pid: number) => process.kill(pid, 'SIGKILL')
const keyOf = (stack: Stack) =>
  fetch(`${stack.origin}/v1/me`, { headers: { authorization: `Bearer ${stack.api_key}` } })

test('a second sandbox recovers its data after each process, all or the launcher is killed, and stops cleanly', async () => {
  test.setTimeout(240_000)
  fs.rmSync(dataDir, { recursive: true, force: true })
  const port = await freeStackPort()
  const first = await start(port)
  const before = first.stack()
  expect((await keyOf(before)).status).toBe(200)

  const chain = createPublicClient({ chain: foundry, transport: http(before.rpc_url) })
  const node = createTestClient({ chain: foundry, mode: 'anvil', transport: http(before.rpc_url) })
  const logs = await chain.getLogs({ fromBlock: 0n, toBlock: 'latest' })
  expect(logs.length).toBeGreaterThan(0) // The demo collection is deployed.
  const marked = '0x00000000000000000000000000000000000000aa'
  await node.setBalance({ address: marked, value: 77n })
  const block = await chain.getBlockNumber()
  const saved = () =>
    (JSON.parse(fs.readFileSync(path.join(dataDir, 'chain/state.json'), 'utf8')) as { best_block_number: number })
      .best_block_number
  await expect.poll(saved, { message: 'the chain is saved' }).toBeGreaterThan(Number(block))

  for (const name of ['worker', 'web', 'chain', 'postgres'] as const) {
    const dead = first.stack().pids[name]
    kill(dead)
    await expect.poll(() => first.stack().pids[name], { message: `${name} is started again` }).not.toBe(dead)
  }
  await expect
    .poll(() =>
      keyOf(before).then(
        (response) => response.status,
        () => 0,
      ),
    )
    .toBe(200)
  await expect.poll(() => chain.getBalance({ address: marked }).catch(() => 0n)).toBe(77n)

  // All processes are killed, the launcher first, so that nothing cleans up.
  const processes = tracesOf(first.stack())
  for (const { pid } of [...processes].sort((a) => (a.pid === first.stack().pids.launcher ? -1 : 1))) kill(pid)
  await first.ended

  const second = await start(port)
  expect((await keyOf(second.stack())).status).toBe(200)
  expect(second.stack().organization_id).toBe(before.organization_id)
  expect(second.stack().demo.collection_id).toBe(before.demo.collection_id)
  expect(await chain.getBalance({ address: marked })).toBe(77n)
  const [log] = await chain.getLogs({ fromBlock: 0n, toBlock: 'latest' })
  expect(log).toEqual(logs[0])
  expect((await chain.getTransactionReceipt({ hash: log!.transactionHash })).status).toBe('success')

  // When the launcher alone is killed, the other processes end too.
  const orphans = tracesOf(second.stack())
  kill(second.stack().pids.launcher)
  await second.ended
  await expect.poll(() => orphans.filter(isAlive)).toEqual([])

  const third = await start(port)
  const agreement = /^Compared with the chain: 1 network, \d+ contracts?, .*\nStock, money and chain agree\.$/
  // The chain goes on from what was saved, which may be some blocks back: verify says so until the worker has followed.
  await expect.poll(verify, { timeout: 30_000 }).toEqual({ status: 0, output: expect.stringMatching(agreement) })
  await expectNoSecretInLogs(third.stack)
  const all = tracesOf(third.stack())
  third.process.kill('SIGINT')
  expect(await third.ended).toBe(0)
  expect(all.filter(isAlive)).toEqual([])
  expect(verify()).toMatchObject({ status: 1, output: expect.stringContaining('start it with npm run up') })
})
