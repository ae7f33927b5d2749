import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Program, logFile } from './processes.ts'
import { writeAtomically } from './secrets.ts'

const require = createRequire(import.meta.url)
const unzip = promisify(gunzip)

export const LOCAL_CHAIN_ID = 31337

/** The path of anvil, the packaged chain node. */
export function chainBinary(): string {
  const machine = process.arch === 'x64' ? 'amd64' : process.arch
  return path.join(
    path.dirname(require.resolve(`@foundry-rs/anvil-${process.platform}-${machine}/package.json`)),
    'bin/anvil',
  )
}

/** A local chain that mines a block every second, so that its time passes, and continues from its saved state. */
export function prepareChain(dataDir: string, port: number): Program {
  const folder = path.join(dataDir, 'chain')
  const fixed = [
    ['--port', port],
    ['--host', '127.0.0.1'],
    ['--chain-id', LOCAL_CHAIN_ID],
    ['--block-time', 1],
    ['--gas-limit', 60_000_000],
    // States of old blocks go to our folder, and only the last 200 of them. Blocks, receipts and logs are all stored.
    ['--cache-path', path.join(folder, 'cache')],
    ['--max-persisted-states', 200],
  ]
    .flat()
    .map(String)
  const program: Program = {
    name: 'The chain',
    command: chainBinary(),
    args: [],
    env: process.env,
    cwd: dataDir,
    output: logFile(dataDir, 'chain'),
    prepare: () => {
      fs.rmSync(path.join(folder, 'cache'), { recursive: true, force: true })
      fs.mkdirSync(path.join(folder, 'cache'), { recursive: true })
      const state = readableState(folder)
      program.args = [...fixed, '--silent', ...(state ? ['--load-state', state] : [])]
    },
  }
  return program
}

/** The newest state file that is complete, or null. */
function readableState(folder: string): string | null {
  const isComplete = (file: string) => {
    try {
      const state = JSON.parse(fs.readFileSync(file, 'utf8')) as { accounts?: object; blocks?: unknown[] }
      return Boolean(state.accounts && state.blocks)
    } catch {
      return false
    }
  }
  return ['state.json', 'state.previous.json'].map((name) => path.join(folder, name)).find(isComplete) ?? null
}

/** Saves the chain's state. The previous file is retained, and readers see complete files only. */
async function saveChain(dataDir: string, rpcUrl: string): Promise<void> {
  const file = path.join(dataDir, 'chain/state.json')
  const dump = await callChain<string>(rpcUrl, 'anvil_dumpState')
  const state = await unzip(Buffer.from(dump.slice(2), 'hex'))
  if (fs.existsSync(file)) fs.renameSync(file, path.join(dataDir, 'chain/state.previous.json'))
  writeAtomically(file, state)
}

/** A chain on which nothing happens is saved this often, for its time and its empty blocks. */
const QUIET_SAVE_MS = 20_000

/**
 * Saves the chain repeatedly until it is stopped. The node could do that itself, but it overwrites its only file, at a
 * fixed interval however large the file is. Here saving takes at most a twentieth of the time, and is left out for a
 * while when nothing has changed.
 */
export function saveChainRepeatedly(dataDir: string, rpcUrl: string): { stop: () => Promise<void> } {
  const stopped = new AbortController()
  let saved = { root: '', at: 0 }
  const save = async () => {
    const root = await stateRoot(rpcUrl)
    if (root === saved.root && Date.now() - saved.at < QUIET_SAVE_MS) return
    await saveChain(dataDir, rpcUrl)
    saved = { root, at: Date.now() }
  }
  const loop = async () => {
    while (!stopped.signal.aborted) {
      const started = Date.now()
      await save().catch(() => {}) // the node is restarting; the next round saves
      await wait(Math.max(2_000, 20 * (Date.now() - started)), undefined, { signal: stopped.signal }).catch(() => {})
    }
  }
  const done = loop()
  return {
    stop: async () => {
      stopped.abort()
      await done
      await saveChain(dataDir, rpcUrl).catch(() => {})
    },
  }
}

/** Changes with every balance, nonce and storage slot. */
const stateRoot = async (rpcUrl: string): Promise<string> =>
  (await callChain<{ stateRoot: string }>(rpcUrl, 'eth_getBlockByNumber', ['latest', false])).stateRoot

export async function callChain<T>(rpcUrl: string, method: string, params: unknown[] = []): Promise<T> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = (await response.json()) as { result?: T; error?: { message: string } }
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result as T
}

const ETHER = 10n ** 18n

/** Sets the operator's balance to 10,000 coins when it is below 1,000, since it pays for everything in the sandbox. */
export async function fundOperator(rpcUrl: string, address: string): Promise<void> {
  const balance = BigInt(await callChain<string>(rpcUrl, 'eth_getBalance', [address, 'latest']))
  if (balance >= 1_000n * ETHER) return
  await callChain(rpcUrl, 'anvil_setBalance', [address, `0x${(10_000n * ETHER).toString(16)}`])
}
