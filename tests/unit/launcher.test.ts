import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { prepareChain } from '../../scripts/launcher/chain.ts'
import { acquireLock, isAlive, traceOf } from '../../scripts/launcher/file-lock.mjs'
import { readOptions } from '../../scripts/launcher/options.ts'
import { choosePorts, freePort } from '../../scripts/launcher/ports.ts'
import { leftOf, withProgress } from '../../scripts/launcher/progress.mjs'
import { readOrCreateSecrets } from '../../scripts/launcher/secrets.ts'

function makeFolder(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'vitrine-launcher-'))
  onTestFinished(() => fs.rmSync(dir, { recursive: true }))
  return dir
}

async function occupy(port: number): Promise<void> {
  const server = net.createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve()))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
}

test('all ports derive from the web port; a port in use is skipped', async () => {
  const web = await freePort()
  await occupy(web + 2)
  const ports = await choosePorts(web)
  expect(ports.web).toBe(web)
  const derived = [ports.postgres, ports.chain, ports.smtp]
  expect(new Set([web, ...derived]).size).toBe(4)
  expect(derived).not.toContain(web + 2)
  expect(derived.every((port) => port > web)).toBe(true)
})

test('a web port in use is refused with a suggestion', async () => {
  const web = await freePort()
  await occupy(web)
  await expect(choosePorts(web)).rejects.toThrow(
    `Port ${web} is taken by another program. Choose another one: npm run up -- --port ${web + 100}`,
  )
})

test('an invalid port is refused when options are read', () => {
  expect(() => readOptions('/', ['--port', 'abc'])).toThrow(
    'abc is not a port: it has to be a number between 1 and 65000.',
  )
  expect(readOptions('/', ['--port', '4000', '--fresh'])).toMatchObject({ port: 4000, fresh: true, dev: false })
})

test('secrets are generated once and readable only by their owner', () => {
  const dir = makeFolder()
  const secrets = readOrCreateSecrets(dir)
  expect(secrets.SERVER_KEY).toMatch(/^[0-9a-f]{64}$/)
  expect(secrets.OPERATOR_KEYS).toMatch(/^0x[0-9a-f]{64}$/)
  expect(readOrCreateSecrets(dir)).toEqual(secrets)
  expect(readOrCreateSecrets(makeFolder())).not.toEqual(secrets)
  expect(fs.statSync(path.join(dir, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test('a truncated chain state file is replaced by the previous one', async () => {
  const dir = makeFolder()
  const chain = prepareChain(dir, 1)
  const stateOf = async () => {
    await chain.prepare!()
    const at = chain.args.indexOf('--load-state')
    return at === -1 ? null : path.basename(chain.args[at + 1]!)
  }
  expect(await stateOf()).toBeNull()
  const complete = JSON.stringify({ accounts: {}, blocks: [] })
  fs.writeFileSync(path.join(dir, 'chain/state.previous.json'), complete)
  fs.writeFileSync(path.join(dir, 'chain/state.json'), complete.slice(0, -5))
  expect(await stateOf()).toBe('state.previous.json')
  fs.writeFileSync(path.join(dir, 'chain/state.json'), complete)
  expect(await stateOf()).toBe('state.json')
})

test('a process is distinguished from a later one with the same pid', () => {
  const trace = traceOf(process.pid)!
  expect(isAlive(trace)).toBe(true)
  expect(isAlive({ ...trace, started: '1' })).toBe(false)
  expect(traceOf(2 ** 30)).toBeNull()
})

test('a lock is waited for, and that of a dead process is taken over', async () => {
  const file = path.join(makeFolder(), 'lock')
  fs.writeFileSync(file, JSON.stringify({ pid: process.pid, started: '1' })) // an earlier process with our pid
  const release = await acquireLock(file)
  const order: string[] = []
  const second = acquireLock(file, () => {
    order.push('waits')
    order.push('released')
    release()
  })
  ;(await second)()
  order.push('locked')
  expect(order).toEqual(['waits', 'released', 'locked'])
  expect(fs.existsSync(file)).toBe(false)
})

test('what is left of a long work is told by the time that it took last', async () => {
  expect(leftOf(0, 40_000)).toEqual({ bar: '─'.repeat(24), words: 'about 40 s left' })
  expect(leftOf(30_000, 40_000)).toEqual({ bar: '━'.repeat(18) + '─'.repeat(6), words: 'about 10 s left' })
  expect(leftOf(50_000, 40_000)).toEqual({ bar: '━'.repeat(24), words: 'longer than expected' })

  const root = makeFolder()
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  onTestFinished(() => log.mockRestore())
  const build = () =>
    withProgress({ root, name: 'build', title: 'Building', usualSeconds: 77 }, () => Promise.resolve('built'))
  expect(await build()).toBe('built')
  await build()
  expect(lines).toEqual(['  … Building: about 77 s left', '  … Building: about 1 s left'])
})
