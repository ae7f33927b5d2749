import { expect } from 'vitest'
import { isConsecutiveBatch } from '../../../../lib/onchain/transactions/prepare-transaction.ts'
import { secondsFrom } from '../../../../lib/core/clock.ts'
import { signedTransferTypedData } from '../../../../lib/core/contracts/signed-transfers.ts'
import { newId } from '../../../../lib/core/id.ts'
import { createWalletClient, http, parseEther, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { callerOf } from '../../../support/call.ts'
import { makeRandomAddress } from '../../../support/claims.ts'
import { deployPlainErc721, plainErc721Abi } from '../../../support/foreign-contract.ts'
import { makeOrganization } from '../../../support/organization.ts'
import { receiptOf } from '../../../support/receipt-of.ts'
import { eventually, type Stage, until } from '../stage.ts'
import { makeGallery, type OnChain, type Story, waitForContract } from '../story.ts'

const completed = ({ organization, collectionId }: OnChain, count: number) =>
  eventually('The mints', async () => {
    const mints = await organization.ctx.db.mintRequest.findMany({ where: { collectionId } })
    return mints.length === count && mints.every(({ state }) => state === 'COMPLETED')
  })

/** Mints so many items, each to an address of its own, in one transaction. */
export const mint =
  (count: number): Story =>
  async (stage) => {
    const gallery = await makeGallery({ items: count })
    const to_addresses = gallery.itemIds.map(makeRandomAddress)
    return {
      organization: gallery.organization,
      act: async () => {
        const body = { item_ids: gallery.itemIds, to_addresses }
        const answer = await stage.post(gallery.organization, '/v1/mint-requests', body)
        expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      },
      check: async () => {
        await completed(gallery, count)
        await expectMinted(stage, gallery, to_addresses)
        if (count < 20) return
        const { signed } = await gallery.organization.ctx.db.transaction.findFirstOrThrow({
          where: { collectionId: gallery.collectionId, txType: 'ADMIN_MINT' },
          include: { signed: true },
        })
        expect(signed.map(({ raw }) => isConsecutiveBatch(raw as Hex))).toEqual([true])
      },
    }
  }

/** Mints two runs of consecutive ids, which the sender splits into a transaction each. */
export const splitBatch: Story = async (stage) => {
  const gallery = await makeGallery({ items: 50 })
  const item_ids = [...gallery.itemIds.slice(0, 24), ...gallery.itemIds.slice(26)]
  const to_addresses = item_ids.map(makeRandomAddress)
  const { db } = gallery.organization.ctx
  return {
    organization: gallery.organization,
    act: async () => {
      const answer = await stage.post(gallery.organization, '/v1/mint-requests', { item_ids, to_addresses })
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    },
    check: async () => {
      await completed(gallery, item_ids.length)
      expect((await stage.movesOf(gallery.contract)).map(({ to }) => to).sort()).toEqual(to_addresses.toSorted())
      expect(await db.transaction.count({ where: { txType: 'ADMIN_MINT' } })).toBe(2)
    },
  }
}

const FOREIGN_TOKENS = [1n, 2n, 3n]

/** Connects somebody else's contract, whose tokens become items. */
export const adoption: Story = async (stage) => {
  const organization = await makeOrganization()
  const { db } = organization.ctx
  const owner = privateKeyToAccount(generatePrivateKey())
  await stage.chain.node.setBalance({ address: owner.address, value: parseEther('1') })
  const address: Address = await deployPlainErc721(stage.chain, owner)
  const wallet = createWalletClient({ account: owner, chain: foundry, transport: http(stage.chain.rpcUrl) })
  for (const id of FOREIGN_TOKENS) {
    const args = [owner.address, id] as const
    const hash = await wallet.writeContract({ address, abi: plainErc721Abi, functionName: 'mint', args })
    await receiptOf(stage.chain.client, hash)
  }
  return {
    organization,
    act: async () => {
      const answer = await stage.post(organization, '/v1/collections', {
        name: newId(),
        deployment_request: { network_id: foundry.id, type: 'EXTERNAL', external: { address, token_type: 'ERC721' } },
      })
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    },
    check: async () => {
      await eventually('The owners', async () => (await db.itemOwner.count()) === FOREIGN_TOKENS.length)
      // The other one names an address that isn't reachable.
      await eventually(
        'The metadata of two',
        async () => (await db.item.count({ where: { metadataDueAt: null } })) === 2,
      )
      const items = await db.item.findMany({ orderBy: { tokenId: 'asc' } })
      expect(items.slice(0, 2).map(({ attributes }) => (attributes as { title: string }).title)).toEqual([
        'Plain one',
        'Plain two',
      ])
      expect(items.map(({ tokenId, minted }) => [tokenId, minted])).toEqual(
        FOREIGN_TOKENS.map((id) => [String(id), 1n]),
      )
      expect(await db.itemHistory.count()).toBe(FOREIGN_TOKENS.length)
    },
  }
}

async function expectMinted({ movesOf }: Stage, { contract }: OnChain, owners: readonly string[]): Promise<void> {
  const moves = await movesOf(contract)
  expect(moves.map(({ id }) => id).sort((a, b) => a - b)).toEqual(owners.map((_, at) => at + 1))
  expect(moves.map(({ to }) => to).sort()).toEqual(owners.toSorted())
}

/** Deploys a collection's contract. */
export const deployment: Story = async (stage) => {
  const organization = await makeOrganization()
  return {
    organization,
    act: () =>
      stage.post(organization, '/v1/collections', {
        name: newId(),
        deployment_request: { network_id: 31337, platform: { symbol: 'TEST', variant: 'ERC721' } },
      }),
    check: async () => {
      const collections = await organization.ctx.db.collection.findMany()
      expect(collections).toHaveLength(1)
      const contract = await waitForContract(organization, collections[0]!.id)
      expect(await stage.chain.client.getCode({ address: contract })).toBeTruthy()
      expect(await organization.ctx.db.transaction.count()).toBe(1)
    },
  }
}

/** Hands over a token that the operator has. */
export const handover: Story = async (stage) => {
  const gallery = await makeGallery()
  const { organization, itemIds } = gallery
  const [item_id] = itemIds
  const api = callerOf(organization.key)
  const operator = stage.chain.operator.address
  await api.post('/v1/mint-requests', { item_id, to_address: operator })
  const custodian = async () => (await api.get(`/v1/items/${item_id}/holds`)).body.kept_by
  await eventually('The custody', custodian)
  const to = makeRandomAddress()
  return {
    organization,
    act: () => stage.post(organization, '/v1/mint-requests', { item_id, to_address: to }),
    check: async () => {
      await completed(gallery, 2)
      expect((await stage.movesOf(gallery.contract)).map((move) => move.to)).toEqual([operator, to])
      await eventually('The end of custody', async () => (await custodian()) === null)
    },
  }
}

/** A holder sends a token to a mailbox, whose owner never takes it: it goes back. */
export const escrow: Story = async (stage) => {
  const gallery = await makeGallery()
  const { organization, itemIds, collectionId, contract } = gallery
  const { db } = organization.ctx
  const operator = stage.chain.operator.address
  const holder = privateKeyToAccount(generatePrivateKey())
  await callerOf(organization.key).post('/v1/mint-requests', { item_id: itemIds[0], to_address: holder.address })
  await eventually('The holder', async () => (await db.itemOwner.count({ where: { address: holder.address } })) === 1)
  const email = `${newId()}@example.com`
  const deadline = Math.floor(Date.now() / 1000) + 3600
  const order = { tokenId: 1n, quantity: 1n, from: holder.address, to: operator, nonce: 1n, deadline: BigInt(deadline) }
  const signature = await holder.signTypedData(signedTransferTypedData('ERC721', foundry.id, contract, order) as never)
  return {
    organization,
    act: async () => {
      const answer = await stage.post(undefined, '/public/v1/transfers', {
        collection_id: collectionId,
        token_id: '1',
        from_address: holder.address,
        to_address: operator,
        nonce: '1',
        deadline,
        signature,
        email,
      })
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      await eventually('The claim', async () => {
        const data = { expiresAt: secondsFrom(new Date(), -1) }
        return (await db.emailClaim.updateMany({ where: { email }, data })).count === 1
      })
    },
    check: async () => {
      await eventually('The return', async () => (await db.escrow.count({ where: { state: 'RETURNED' } })) === 1)
      expect((await stage.movesOf(contract)).map((move) => move.to)).toEqual([holder.address, operator, holder.address])
    },
  }
}

const REORG_DEPTH = 8

/** Mints, and then the chain drops the last blocks. */
export const reorg: Story = async (stage) => {
  const gallery = await makeGallery({ items: 2 })
  const { organization, itemIds } = gallery
  const to_addresses = itemIds.map(makeRandomAddress)
  // What the runs before have sent stays.
  await stage.chain.node.mine({ blocks: REORG_DEPTH + 2 })
  const api = callerOf(organization.key)
  await api.post('/v1/mint-requests', { item_ids: itemIds, to_addresses })
  await completed(gallery, 2)
  await eventually('The index', async () => (await organization.ctx.db.itemHistory.count()) === 2)
  return {
    organization,
    act: async () => {
      // While it mines during a reorg, anvil loses blocks for good: the next one comes a second after this one.
      const head = await stage.chain.client.getBlockNumber()
      await until('The next block', async () => (await stage.chain.client.getBlockNumber({ cacheTime: 0 })) > head)
      await stage.chain.client.request({ method: 'anvil_reorg', params: [REORG_DEPTH, []] } as never)
    },
    check: async () => {
      await eventually('The mints on the new chain', async () => (await stage.movesOf(gallery.contract)).length === 2)
      await completed(gallery, 2)
      await expectMinted(stage, gallery, to_addresses)
      await eventually('The index', async () => (await organization.ctx.db.itemHistory.count()) === 2)
    },
  }
}
