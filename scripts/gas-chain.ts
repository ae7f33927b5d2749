// A local chain at base fee 0 that measures the gas of whole transactions by their receipts.
import { spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  type Abi,
  type Address,
  createPublicClient,
  encodeDeployData,
  getAddress,
  type Hex,
  http,
  keccak256,
  type Log,
  numberToHex,
  type PublicClient,
  stringToHex,
  type TransactionReceipt,
} from 'viem'
import { foundry } from 'viem/chains'

// The development chain's first accounts, whose keys the node has.
const ADMIN = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BUYER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PAYER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** Below EIP-7825's cap of 2^24 for a transaction. */
const GAS_LIMIT = 16_700_000n
const BLOCK_GAS_LIMIT = 60_000_000n

export type GasChain = {
  client: PublicClient
  admin: Address
  buyer: Address
  payer: Address
  /** A new address, the same in every run. It has no zero bytes, which would make its call data cheaper. */
  newAddress: () => Address
  /** Sends a transaction and returns its gas; throws when it reverts. */
  send: (
    from: Address,
    to: Address | null,
    data: Hex,
    value?: bigint,
  ) => Promise<{ gas: number; contract: Address; logs: Log[] }>
  deploy: (abi: Abi, bytecode: Hex, args?: readonly unknown[]) => Promise<{ gas: number; contract: Address }>
  stop: () => void
}

/** Starts the chain; `stop` ends it. With `peers`, contracts may have any size and a transaction may fill a block. */
export async function startGasChain({ peers = false } = {}): Promise<GasChain> {
  const port = await freePort()
  const machine = process.arch === 'x64' ? 'amd64' : process.arch
  const binary = join(import.meta.dirname, `../node_modules/@foundry-rs/anvil-${process.platform}-${machine}/bin/anvil`)
  const anvil = spawn(
    binary,
    [
      '--port',
      String(port),
      '--silent',
      '--hardfork',
      'prague',
      '--base-fee',
      '0',
      '--gas-price',
      '0',
      '--gas-limit',
      String(BLOCK_GAS_LIMIT),
      ...(peers ? ['--disable-code-size-limit'] : []),
    ],
    { stdio: 'ignore' },
  )
  const client = createPublicClient({
    chain: foundry,
    transport: http(`http://127.0.0.1:${port}`),
    pollingInterval: 10,
  })
  for (let tries = 0; !(await client.getChainId().catch(() => 0)); tries += 1) {
    if (tries === 600) throw new Error('The local chain did not start.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }

  let created = 0
  const newAddress = (): Address => {
    for (;;) {
      const digits = keccak256(stringToHex(`recipient ${(created += 1)}`)).slice(26)
      if (!digits.match(/../g)!.includes('00')) return getAddress(`0x${digits}`)
    }
  }

  const request = client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>
  // Polls for the receipt: the chain mines at once, so a watcher of new blocks can miss the block.
  const receiptOf = async (hash: Hex): Promise<TransactionReceipt> => {
    for (let tries = 0; tries < 6_000; tries += 1) {
      const receipt = await client.getTransactionReceipt({ hash }).catch(() => null)
      if (receipt) return receipt
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    throw new Error(`The local chain did not mine ${hash}.`)
  }
  const send: GasChain['send'] = async (from, to, data, value = 0n) => {
    const call = {
      from,
      ...(to ? { to } : {}),
      data,
      value: numberToHex(value),
      gas: numberToHex(peers ? BLOCK_GAS_LIMIT : GAS_LIMIT),
    }
    const hash = (await request({ method: 'eth_sendTransaction', params: [call] })) as Hex
    const receipt = await receiptOf(hash)
    if (receipt.status !== 'success') {
      const reason = await request({ method: 'eth_call', params: [call, 'latest'] }).catch(String)
      throw new Error(`A call of ${data.slice(0, 10)} reverted: ${String(reason)}`)
    }
    return {
      gas: Number(receipt.gasUsed),
      logs: receipt.logs,
      contract: receipt.contractAddress ? getAddress(receipt.contractAddress) : (to ?? ADMIN),
    }
  }
  const deploy: GasChain['deploy'] = (abi, bytecode, args = []) =>
    send(ADMIN, null, encodeDeployData({ abi, bytecode, args }))

  return {
    client,
    admin: ADMIN,
    buyer: BUYER,
    payer: PAYER,
    newAddress,
    send,
    deploy,
    stop: () => anvil.kill('SIGTERM'),
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
