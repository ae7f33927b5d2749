import { type Address, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { beforeAll, beforeEach, expect } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { historyId } from '../../lib/onchain/history/history-id.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { callerOf } from './call.ts'
import { installFakeChain, makeItem } from './claims.ts'
import { makeOrganization, type TestOrganization } from './organization.ts'

// What the tests of a file share; `setUpPerks` fills it.
export let organization: TestOrganization
export let api: ReturnType<typeof callerOf>
let logs = 0

/** Prepares an organization, and for each test a chain whose blocks up to `FINAL` are final. */
export function setUpPerks(): void {
  beforeAll(async () => {
    organization = await makeOrganization()
    api = callerOf(organization.key)
  })
  beforeEach(async () => {
    installFakeChain()
    const local = ports().chains.get(31337)!
    const chain = { ...local, network: { ...local.network, finality: 'tag' as const } }
    replacePorts({ chains: new Map([[31337, chain]]) })
    await setCursor()
  })
}

export const anyone = callerOf()

/** A chain with a finalized tag. The blocks up to `FINAL` are final, and those up to `HEAD` are entered. */
export const FINAL = 100
const HEAD = 120

export async function setCursor({ head = HEAD, final = FINAL } = {}) {
  const cursor = { number: BigInt(head), rescannedTo: BigInt(final) }
  await systemClient().chainCursor.upsert({
    where: { networkId: 31337 },
    create: { networkId: 31337, ...cursor },
    update: cursor,
  })
}

type Item = { itemId: string; collectionId: string }

/** A log of the chain as the index enters it. */
export async function move(item: Item, from: string, to: string, { block = 10, quantity = 1 } = {}) {
  const place = { networkId: 31337, blockNumber: BigInt(block), logIndex: ++logs, part: 0 }
  const type = from === zeroAddress ? 'MINT' : to === zeroAddress ? 'BURN' : 'TRANSFER'
  await organization.ctx.db.itemHistory.create({
    data: {
      id: historyId(place),
      organizationId: organization.id,
      ...item,
      ...place,
      tokenId: '1',
      type,
      quantity,
      fromAddress: from,
      toAddress: to,
      txHash: `0x${newId().replaceAll('-', '').padStart(64, '0')}`,
      timestamp: new Date(),
    },
  })
  for (const [address, units] of [
    [from, -quantity],
    [to, quantity],
  ] as const)
    if (address !== zeroAddress)
      await organization.ctx.db.itemOwner.upsert({
        where: { itemId_address: { itemId: item.itemId, address } },
        create: { organizationId: organization.id, itemId: item.itemId, address, quantity: units },
        update: { quantity: { increment: units } },
      })
}

export type Holder = { account: PrivateKeyAccount; address: Address; proof: string }

export async function makeHolder(): Promise<Holder> {
  const account = privateKeyToAccount(generatePrivateKey())
  const path = `/public/v1/wallets/${account.address}`
  const { message, challenge } = (await anyone.post(`${path}/challenge`, {})).body
  const signature = await account.signMessage({ message })
  return {
    account,
    address: account.address,
    proof: (await anyone.post(`${path}/proof`, { challenge, signature })).body.proof,
  }
}

export const makeHolders = (count: number) => Promise.all(Array.from({ length: count }, makeHolder))

/** An item that an address has had since a final block. */
export async function makeHeld(
  { address }: { address: string },
  { quantity = 1, ...stock }: { quantity?: number } & Parameters<typeof makeItem>[1] = {},
): Promise<Item> {
  const item = await makeItem(organization, stock)
  await move(item, zeroAddress, address, { quantity })
  return item
}

export async function makePerk(body: object) {
  const made = await api.post('/v1/perks', { title: 'A seat at the opening', ...body })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

export const at = ({ address }: { address: string }, { itemId }: Item, path = '') =>
  `/public/v1/wallets/${address}/items/${itemId}/perks${path}`

export const open = async (holder: Holder, item: Item) => {
  const { status, body } = await anyone.post(at(holder, item), { proof: holder.proof })
  return status === 200 ? body : `${status} ${body.code}`
}

export const take = async (holder: Holder, item: Item, perkId: string) => {
  const { status, body } = await anyone.post(at(holder, item, `/${perkId}/codes`), { proof: holder.proof })
  return status === 200 ? (body.codes as { code: string }[]).map(({ code }) => code) : `${status} ${body.code}`
}

export const download = (holder: Holder, item: Item, perkId: string) =>
  anyone.get(at(holder, item, `/${perkId}/file?proof=${holder.proof}`))
