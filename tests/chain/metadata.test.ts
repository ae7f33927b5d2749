import { parseAbi, parseEventLogs, type Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { requestMints } from '../../lib/onchain/mints/request-mints.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection } from '../support/sending.ts'

const updates = parseAbi([
  'event MetadataUpdate(uint256 _tokenId)',
  'event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId)',
  'event URI(string value, uint256 indexed id)',
])

let local: TestChain
let mine: TestOrganization
let api: ReturnType<typeof callerOf>

beforeAll(async () => {
  local = await startChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const sentOf = (collectionId: string) =>
  mine.ctx.db.transaction.findMany({ where: { collectionId, txType: 'UPDATE_METADATA' }, orderBy: { id: 'asc' } })
const edit = (itemId: string, title: string) => api.patch(`/v1/items/${itemId}`, { attributes: { title } })

/** The metadata events that the contract emitted in the transaction. */
async function eventsIn(hash: string | null) {
  const { logs } = await local.client.getTransactionReceipt({ hash: hash as Hex })
  return parseEventLogs({ abi: updates, logs }).map(({ eventName, args }) => [eventName, args])
}

async function makeMinted(variant: 'ERC721' | 'ERC1155', items = 4) {
  const made = await makeOnChainCollection(mine, local, {
    variant,
    items,
    ...(variant === 'ERC1155' && { max_supply: 5 }),
  })
  await api.patch(`/v1/collections/${made.collectionId}`, { editable_metadata: true })
  await requestMints(mine.ctx, { collection_id: made.collectionId, to_address: makeRandomAddress() })
  return made
}

test('editing an item whose mint is pending makes the contract emit an ERC-4906 MetadataUpdate', async () => {
  const { collectionId, itemIds, sender } = await makeMinted('ERC721', 2)
  expect((await edit(itemIds[1]!, 'Changed')).status).toBe(200)
  await sender.run()
  const [sent] = await sentOf(collectionId)
  expect(sent).toMatchObject({ state: 'COMPLETED', payload: { from_token_id: '2', to_token_id: '2' } })
  expect(await eventsIn(sent!.txHash)).toEqual([['MetadataUpdate', { _tokenId: 2n }]])
  expect((await edit(itemIds[1]!, 'Changed')).status).toBe(200)
  expect(await sentOf(collectionId)).toHaveLength(1)
})

test('edits of neighbouring tokens share an update; distant ones and ones after it was sent get their own', async () => {
  const { collectionId, itemIds, sender } = await makeMinted('ERC721')
  for (const at of [1, 2, 1]) await edit(itemIds[at]!, `Changed ${at}`)
  expect((await sentOf(collectionId)).map(({ payload }) => payload)).toEqual([{ from_token_id: '2', to_token_id: '3' }])
  await sender.run()
  const [first] = await sentOf(collectionId)
  expect(await eventsIn(first!.txHash)).toEqual([['BatchMetadataUpdate', { _fromTokenId: 2n, _toTokenId: 3n }]])
  await edit(itemIds[0]!, 'Later')
  await edit(itemIds[3]!, 'Apart')
  expect((await sentOf(collectionId)).map(({ payload }) => payload)).toEqual([
    { from_token_id: '2', to_token_id: '3' },
    { from_token_id: '1', to_token_id: '1' },
    { from_token_id: '4', to_token_id: '4' },
  ])
})

test('an ERC-1155 contract emits a URI event for each changed token', async () => {
  const { collectionId, itemIds, sender } = await makeMinted('ERC1155', 2)
  await edit(itemIds[0]!, 'Changed')
  await edit(itemIds[1]!, 'Changed')
  await sender.run()
  const [sent] = await sentOf(collectionId)
  expect(sent).toMatchObject({ state: 'COMPLETED', payload: { from_token_id: '1', to_token_id: '2' } })
  expect((await eventsIn(sent!.txHash)).map(([name, args]) => [name, (args as { id: bigint }).id])).toEqual([
    ['URI', 1n],
    ['URI', 2n],
  ])
})

test('a reveal emits one BatchMetadataUpdate for all tokens', async () => {
  const { collectionId, sender } = await makeOnChainCollection(mine, local, { items: 0 })
  await api.patch(`/v1/collections/${collectionId}`, {
    reveal_strategy: 'DELAYED',
    preview_metadata: { title: 'A closed box' },
  })
  await api.post('/v1/items/bulk', {
    items: Array.from({ length: 150 }, (_, at) => ({
      collection_id: collectionId,
      attributes: { title: `Owl ${at}` },
    })),
  })
  await api.post('/v1/items/lock', { collection_id: collectionId })
  expect((await api.post(`/v1/collections/${collectionId}/reveal`, {})).status).toBe(200)
  await sender.run()
  const [sent] = await sentOf(collectionId)
  expect(await eventsIn(sent!.txHash)).toEqual([['BatchMetadataUpdate', { _fromTokenId: 1n, _toTokenId: 150n }]])
})
