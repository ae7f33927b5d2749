import { Prisma } from '../../../generated/prisma/client.ts'
import { readCursor } from '../../onchain/indexer/cursor.ts'
import { findFirstBlock } from '../../onchain/indexer/find-first-block.ts'
import { FOLLOWED, type Followed, readRawLogs } from '../../onchain/indexer/read-logs.ts'
import { later } from '../../onchain/indexer/read-step.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain, ChainNode } from '../../ports/chain/chain.ts'
import { comparePart, type Part, readChain } from './compare-part.ts'
import type { Compared, Finding } from './finding.ts'

/** One range in memory has at most this many blocks, and of entered logs this many or those of one block. */
const MAX_BLOCKS = 10_000n
const MAX_LOGS = 10_000
/** Logs that a finding names. */
const MAX_NAMED = 10

const LOG = columns('l', 'ChainLog', ['collectionId', 'txHash', 'logIndex', 'blockHash', 'topics', 'data'])
type StoredLog = RowOf<typeof LOG>
type LogsPart = Part<StoredLog> & { from: bigint; to: bigint; collections: readonly Followed[] }

/**
 * Compares the entered logs of a network's collections with the chain's, from their deployment to the last block that
 * was entered.
 */
export async function verifyLogs(worker: SystemContext, chain: Chain, compared: Compared): Promise<Finding[]> {
  const findings: Finding[] = []
  let from = await findFirst(worker, chain)
  while (from !== null) {
    const first = from
    const result = await comparePart(chain, () => readStored(worker, chain, first), compareLogs)
    if (!result) break
    findings.push(...result.findings)
    compared.logs += result.part.rows.length
    from = result.part.to + 1n
  }
  return findings
}

const DEPLOYED = columns('c', 'Collection', ['deploymentTransactionId'])
type Deployed = Followed & RowOf<typeof DEPLOYED>

const findFollowed = (worker: SystemContext, chain: Chain): Promise<Deployed[]> =>
  worker.sql<Deployed>(Prisma.sql`
    SELECT ${Prisma.raw(FOLLOWED)}, ${Prisma.raw(DEPLOYED)} FROM collections c
    WHERE network_id = ${chain.network.id} AND following AND contract_address IS NOT NULL ORDER BY id`)

/**
 * The first block in which one of the network's collections has or can have a log; null where nothing is entered yet.
 */
async function findFirst(worker: SystemContext, chain: Chain): Promise<bigint | null> {
  const networkId = chain.network.id
  const cursor = await readCursor(worker, networkId)
  const collections = await findFollowed(worker, chain)
  if (!cursor || collections.length === 0) return null
  const [entered] = await worker.sql<{ first: bigint | null }>(
    Prisma.sql`SELECT min(block_number) AS first FROM chain_logs WHERE network_id = ${networkId}`,
  )
  return readChain(chain, async (node) => {
    let first = earlier(cursor.number, entered?.first ?? cursor.number)
    for (const collection of collections) first = earlier(first, await findFirstBlock(worker, node, collection, first))
    return first
  })
}

/** The entered logs of some blocks, beginning with this one; null when neither it nor a later one is entered. */
async function readStored(worker: SystemContext, chain: Chain, from: bigint): Promise<LogsPart | null> {
  const networkId = chain.network.id
  const cursor = await readCursor(worker, networkId)
  if (!cursor?.hash || cursor.number < from) return null
  const [tooMany] = await worker.sql<{ number: bigint }>(Prisma.sql`
    SELECT block_number AS number FROM chain_logs WHERE network_id = ${networkId} AND block_number >= ${from}
    ORDER BY block_number OFFSET ${MAX_LOGS} LIMIT 1`)
  const last = earlier(cursor.number, from + MAX_BLOCKS - 1n)
  const to = tooMany ? earlier(last, later(from, tooMany.number - 1n)) : last
  const collections = await findFollowed(worker, chain)
  const rows = await worker.sql<StoredLog>(Prisma.sql`
    SELECT ${Prisma.raw(LOG)} FROM chain_logs l
    WHERE network_id = ${networkId} AND block_number BETWEEN ${from} AND ${to}
      AND collection_id = ANY(${collections.map(({ id }) => id)}::uuid[])`)
  return { at: cursor.number, hash: cursor.hash, rows, from, to, collections }
}

const earlier = (a: bigint, b: bigint): bigint => (a < b ? a : b)

async function compareLogs(node: ChainNode, { rows, from, to, collections }: LogsPart): Promise<Finding[]> {
  const byAddress = new Map(collections.map(({ id, contractAddress }) => [contractAddress, id]))
  const onChain = (await readRawLogs(node, collections, { from, to })).flatMap(({ address, ...log }) => {
    const collectionId = byAddress.get(address)
    return collectionId ? [{ collectionId, ...log }] : []
  })
  const contents = new Map(onChain.map((log) => [placeOf(log), contentOf(log)]))
  const entered = new Map(rows.map((log) => [placeOf(log), contentOf(log)]))
  const missing = onChain.filter((log) => !entered.has(placeOf(log)))
  const madeUp = rows.filter((log) => !contents.has(placeOf(log)))
  const changed = rows.filter((log) => (contents.get(placeOf(log)) ?? contentOf(log)) !== contentOf(log))
  return [
    ...findingsOf(missing, 'every log of the chain is entered'),
    ...findingsOf(madeUp, 'every entered log is the chain’s'),
    ...findingsOf(changed, 'an entered log says what the chain’s says'),
  ]
}

type Log = Pick<StoredLog, 'collectionId' | 'txHash' | 'logIndex'>

const placeOf = ({ txHash, logIndex }: Log): string => `${txHash} ${logIndex}`

const contentOf = ({ blockHash, topics, data }: Pick<StoredLog, 'blockHash' | 'topics' | 'data'>): string =>
  [blockHash, ...topics, data].join(' ').toLowerCase()

/** One finding a collection. */
const findingsOf = (logs: readonly Log[], check: string): Finding[] =>
  [...Map.groupBy(logs, ({ collectionId }) => collectionId)].map(([subject, own]) => {
    const named = own.slice(0, MAX_NAMED).map(({ txHash, logIndex }) => `${txHash} (log ${logIndex})`)
    const more = own.length - named.length
    const detail = `${own.length === 1 ? 'one log isn’t' : `${own.length} logs aren’t`}: ${named.join(', ')}`
    return { check, subject, detail: more > 0 ? `${detail} and ${more} more` : detail }
  })
