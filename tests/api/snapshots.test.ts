import type { Hex } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { newId } from '../../lib/core/id.ts'
import type { ChainLogRow } from '../../lib/onchain/indexer/moves-of.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { takeSnapshots } from '../../lib/data/snapshots/take-snapshots.ts'
import { callerOf, code } from '../support/call.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { enterFakeBlocks, installFakeChain, makeItem } from '../support/claims.ts'
import { makeCollection, ZERO_ADDRESS, makeAddress, makeTransfer1155, makeTransfer721 } from '../support/chain-logs.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
let chain: ReturnType<typeof installFakeChain>

/** Time of block 0; one block per second. */
const START = 1_700_000_000_000
const timeOf = (block: number) => new Date(START + block * 1000)

beforeAll(async () => {
  mine = await makeOrganization()
  api = callerOf(mine.key)
})
beforeEach(async () => {
  chain = installFakeChain()
  const known = ports().chains.get(31337)!
  const block = (number: bigint) =>
    Promise.resolve(
      number > chain.head
        ? null
        : {
            number,
            hash: '0x01' as const,
            parentHash: '0x00' as const,
            timestamp: timeOf(Number(number)),
            logsBloom: null,
          },
    )
  replacePorts({ chains: new Map([[31337, { ...known, block }]]) })
  await enterFakeBlocks(100n)
})

/** Gives each log its own log index, as a chain does. */
let logs = 0
const at = (block: number) => ({ block, index: ++logs })
const project = (rows: ChainLogRow[]) => inTransaction(systemContext(), (tx) => projectLogs(tx, rows))
const requestSnapshot = (collection_id: string, when: object) =>
  api.post('/v1/snapshots', { name: 'Night one', collection_id, ...when })
const holders = async (id: string) => (await api.get(`/v1/snapshots/${id}/holders.csv`)).body
const csv = (...rows: [string, number][]) =>
  ['address,quantity', ...rows.sort(([a], [b]) => (a < b ? -1 : 1)).map((row) => row.join(',')), ''].join('\r\n')

describe('snapshots', () => {
  test('a block or a time more than a year ahead is refused, and one before that waits', async () => {
    const { id } = await makeCollection(mine)
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    for (const [when, field] of [
      [{ block_number: 2 ** 40 }, 'block_number'],
      [{ block_number: 200_000_000 }, 'block_number'],
      [{ timestamp: '9999-12-31T23:59:59Z' }, 'timestamp'],
      [{ timestamp: inDays(370) }, 'timestamp'],
    ] as const) {
      const refused = await requestSnapshot(id, when)
      expect([...code(refused), refused.body.errors[0].field]).toEqual([400, 'invalid_request', field])
    }
    for (const when of [{ block_number: 100_000_000 }, { timestamp: inDays(300) }])
      expect((await requestSnapshot(id, when)).body.status).toBe('PENDING')
  })

  test('holders at a block reflect the mints, transfers and burns up to it, and none after it', async () => {
    const collection = await makeCollection(mine)
    await project([
      makeTransfer721(collection, at(1), ZERO_ADDRESS, makeAddress(1), 1n),
      makeTransfer721(collection, at(2), ZERO_ADDRESS, makeAddress(1), 2n),
      makeTransfer721(collection, at(3), ZERO_ADDRESS, makeAddress(2), 3n),
      makeTransfer721(collection, at(5), makeAddress(1), makeAddress(3), 1n),
      makeTransfer721(collection, at(7), makeAddress(2), ZERO_ADDRESS, 3n),
    ])
    const made = await requestSnapshot(collection.id, { block_number: 5 })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'Night one',
      collection_id: collection.id,
      block_number: 5,
      timestamp: null,
      status: 'PENDING',
      failure: null,
      progress: null,
      holder_count: null,
      created_at: expect.any(String),
      ready_at: null,
    })
    const { id } = made.body
    expect(code(await api.get(`/v1/snapshots/${id}/holders.csv`))).toEqual([409, 'snapshot_not_ready'])
    await takeSnapshots(systemContext())
    expect((await api.get(`/v1/snapshots/${id}`)).body).toMatchObject({
      status: 'READY',
      holder_count: 3,
      block_number: 5,
      ready_at: expect.any(String),
    })
    expect(await holders(id)).toBe(csv([makeAddress(1), 1], [makeAddress(2), 1], [makeAddress(3), 1]))
    const answer = await api.get(`/v1/snapshots/${id}/holders.csv`)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    // The page's link names the file after the snapshot.
    expect(answer.headers.get('content-disposition')).toBeNull()
    const later = (await requestSnapshot(collection.id, { block_number: 7 })).body.id
    await takeSnapshots(systemContext())
    expect(await holders(later)).toBe(csv([makeAddress(1), 1], [makeAddress(3), 1]))
  })

  test('an ERC-1155 holder’s quantity is the sum over the collection’s items', async () => {
    const collection = await makeCollection(mine, { tokenType: 'ERC1155', maxSupply: null })
    await project([
      makeTransfer1155(collection, at(1), ZERO_ADDRESS, makeAddress(1), [1n, 2n], [10n, 5n]),
      makeTransfer1155(collection, at(2), makeAddress(1), makeAddress(2), [1n], [4n]),
    ])
    const { id } = (await requestSnapshot(collection.id, { block_number: 2 })).body
    await takeSnapshots(systemContext())
    expect(await holders(id)).toBe(csv([makeAddress(1), 11], [makeAddress(2), 4]))
  })

  test('a snapshot that ends between two batches is continued from there, shows how far it is, and is exact', async () => {
    const collection = await makeCollection(mine)
    type Move = [block: number, from: Hex, to: Hex, token: number]
    const first = (token: number) => makeAddress(1 + (token % 7))
    const second = (token: number) => makeAddress(100 + (token % 5))
    const tokens = Array.from({ length: 40 }, (_, token) => token)
    const moves: Move[] = [
      ...tokens.map((token): Move => [1 + Math.floor(token / 4), ZERO_ADDRESS, first(token), token]),
      ...tokens.filter((token) => token % 3 > 0).map((token): Move => [20 + token, first(token), second(token), token]),
      ...tokens.filter((token) => token % 6 === 1).map((token): Move => [70, second(token), first(token), token]),
    ]
    await project(
      moves.map(([block, from, to, token]) => makeTransfer721(collection, at(block), from, to, BigInt(token))),
    )
    const { id } = (await requestSnapshot(collection.id, { block_number: 80 })).body
    const progress: unknown[] = []
    for (let round = 0; round < 100; round++) {
      if ((await takeSnapshots(systemContext(), { batches: 1, moves: 10 })) > 0) break
      const seen = (await api.get(`/v1/snapshots/${id}`)).body
      expect(seen).toMatchObject({ status: 'PENDING', holder_count: null })
      expect(code(await api.get(`/v1/snapshots/${id}/holders.csv`))).toEqual([409, 'snapshot_not_ready'])
      progress.push(seen.progress.done)
    }
    expect(progress.length).toBeGreaterThan(4)
    expect(progress).toEqual([...progress].sort((a, b) => Number(a) - Number(b)))
    expect(progress.at(-1)).toBe(moves.length)
    const whole = (await requestSnapshot(collection.id, { block_number: 80 })).body.id
    await takeSnapshots(systemContext())
    const owners = new Map(moves.map(([, , to, token]) => [token, to]))
    const quantities = Map.groupBy(owners.values(), (address) => address)
    expect(await holders(id)).toBe(csv(...[...quantities].map(([who, all]): [string, number] => [who, all.length])))
    expect(await holders(id)).toBe(await holders(whole))
    expect((await api.get(`/v1/snapshots/${id}`)).body).toMatchObject({ status: 'READY', progress: null })
  })

  test('a move that is found late, before what was counted already, is in the snapshot', async () => {
    const collection = await makeCollection(mine)
    await project([
      makeTransfer721(collection, at(10), ZERO_ADDRESS, makeAddress(1), 1n),
      makeTransfer721(collection, at(20), ZERO_ADDRESS, makeAddress(1), 2n),
      makeTransfer721(collection, at(30), makeAddress(1), makeAddress(2), 1n),
    ])
    const { id } = (await requestSnapshot(collection.id, { block_number: 50 })).body
    await takeSnapshots(systemContext(), { batches: 2, moves: 1 })
    await project([makeTransfer721(collection, at(5), ZERO_ADDRESS, makeAddress(3), 3n)])
    for (let round = 0; round < 10; round++) await takeSnapshots(systemContext(), { batches: 1, moves: 1 })
    expect(await holders(id)).toBe(csv([makeAddress(1), 1], [makeAddress(2), 1], [makeAddress(3), 1]))
    expect((await api.get(`/v1/snapshots/${id}`)).body).toMatchObject({ status: 'READY', holder_count: 3 })
  })

  test('a batch takes as many round trips with few moves as with many, and holders are read in pages', async () => {
    const [small, large] = [await makeCollection(mine), await makeCollection(mine)]
    const mints = (collection: typeof small, count: number) =>
      Array.from({ length: count }, (_, n) =>
        makeTransfer721(collection, at(1), ZERO_ADDRESS, makeAddress(1 + n), BigInt(n)),
      )
    await project(mints(small, 2))
    await project(mints(large, 1_100))
    const tripsOf = async (collectionId: string) => {
      const { id } = (await requestSnapshot(collectionId, { block_number: 1 })).body
      return { id, trips: (await countRoundTrips(() => takeSnapshots(systemContext()))).roundTrips.length }
    }
    await tripsOf(small.id)
    const few = await tripsOf(small.id)
    const many = await tripsOf(large.id)
    expect(many.trips).toBe(few.trips)
    expect(await holders(many.id)).toBe(
      csv(...Array.from({ length: 1_100 }, (_, n): [string, number] => [makeAddress(1 + n), 1])),
    )
  })

  test('a timestamp means its last block; a future or unindexed block stays PENDING until indexed', async () => {
    const collection = await makeCollection(mine)
    await project([makeTransfer721(collection, at(40), ZERO_ADDRESS, makeAddress(1), 1n)])
    const byTime = (
      await requestSnapshot(collection.id, { timestamp: new Date(timeOf(40).getTime() + 500).toISOString() })
    ).body.id
    const toCome = (await requestSnapshot(collection.id, { block_number: 150 })).body.id
    const now = (await requestSnapshot(collection.id, { timestamp: timeOf(100).toISOString() })).body.id
    await takeSnapshots(systemContext())
    expect((await api.get(`/v1/snapshots/${byTime}`)).body).toMatchObject({
      status: 'READY',
      block_number: 40,
      holder_count: 1,
    })
    for (const id of [toCome, now]) expect((await api.get(`/v1/snapshots/${id}`)).body.status).toBe('PENDING')
    chain.head = 150n
    await takeSnapshots(systemContext())
    expect((await api.get(`/v1/snapshots/${toCome}`)).body.status).toBe('PENDING')
    await enterFakeBlocks(150n)
    await takeSnapshots(systemContext())
    expect((await api.get(`/v1/snapshots/${toCome}`)).body.status).toBe('READY')
    expect((await api.get(`/v1/snapshots/${now}`)).body).toMatchObject({ status: 'READY', block_number: 100 })
  })

  test('a snapshot waits while what is indexed is of a branch that a reorg left', async () => {
    const collection = await makeCollection(mine)
    const { id } = (await requestSnapshot(collection.id, { block_number: 40 })).body
    const statusAfterRound = async () => {
      await takeSnapshots(systemContext())
      return (await api.get(`/v1/snapshots/${id}`)).body.status as string
    }
    await enterFakeBlocks(100n, 'left')
    expect(await statusAfterRound()).toBe('PENDING')
    await enterFakeBlocks(100n)
    expect(await statusAfterRound()).toBe('READY')
  })

  test('a snapshot needs exactly one of block and time and a deployed collection; its name can change', async () => {
    const { collectionId } = await makeItem(mine)
    for (const when of [{}, { block_number: 1, timestamp: timeOf(1).toISOString() }])
      expect(code(await requestSnapshot(collectionId, when))).toEqual([400, 'invalid_request'])
    expect(
      code(await requestSnapshot((await makeItem(mine, { deployed: false })).collectionId, { block_number: 1 })),
    ).toEqual([409, 'collection_not_deployed'])
    expect(code(await requestSnapshot(newId(), { block_number: 1 }))).toEqual([404, 'not_found'])
    const { id } = (await requestSnapshot(collectionId, { block_number: 0 })).body
    expect((await api.patch(`/v1/snapshots/${id}`, { name: 'Night two' })).body).toMatchObject({
      id,
      name: 'Night two',
    })
    expect((await api.get(`/v1/snapshots?collection_id=${collectionId}`)).body).toMatchObject({
      total_results: 1,
      results: [{ id, name: 'Night two' }],
    })
  })

  test('a listing limited to a ready snapshot admits its holders and no others', async () => {
    const collection = await makeCollection(mine)
    await project([makeTransfer721(collection, at(1), ZERO_ADDRESS, makeAddress(1), 1n)])
    const { id } = (await requestSnapshot(collection.id, { block_number: 1 })).body
    const { itemId } = await makeItem(mine)
    const offer = {
      item_id: itemId,
      quantity_listed: 1,
      price: 0,
      currency: 'ETH',
      payment_providers: ['ORGANIZATION'],
      policy: { type: 'SNAPSHOT', snapshot_id: id },
    }
    expect(code(await api.post('/v1/listings', offer))).toEqual([409, 'snapshot_not_ready'])
    await takeSnapshots(systemContext())
    const listing = (await api.post('/v1/listings', offer)).body
    expect(listing).toMatchObject({ policy_type: 'SNAPSHOT', policy: { snapshot_id: id } })
    const eligible = async (who: string) =>
      (await callerOf().get(`/public/v1/listings/redemption-eligibility?listing_id=${listing.id}&${who}`)).body
        .is_eligible
    expect([
      await eligible(`eth_address=${makeAddress(1)}`),
      await eligible(`eth_address=${makeAddress(2)}`),
      await eligible('email_address=ada@example.com'),
    ]).toEqual([true, false, false])
    expect(
      code(await api.post('/v1/listings', { ...offer, policy: { ...offer.policy, snapshot_id: newId() } })),
    ).toEqual([404, 'not_found'])
  })
})
