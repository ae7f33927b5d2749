import type pg from 'pg'
import { parseEventLogs, zeroAddress, type Address, type Hex } from 'viem'
import { vitrine1155Abi, vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import type { ModelBlock } from './chain/model-chain.ts'
import { nonceName } from './chain/model-contract.ts'
import type { SimulatedNetwork } from './network.ts'
import type { People, Promised } from './people.ts'
import type { Shop } from './set-up.ts'

type Parts = { side: pg.Client; network: SimulatedNetwork; people: People; shop: Shop }

/** Everything that isn't as it was promised, once all is settled. Empty: all is well. */
export async function findBroken(parts: Parts): Promise<string[]> {
  return [
    ...(await findDisagreements()),
    ...(await findBrokenPromises(parts)),
    ...(await findBrokenTransfers(parts)),
    ...(await findOversold(parts)),
    ...(await findChargedForNothing(parts)),
    ...(await findAlarms(parts)),
    ...(await findDifferentReplay(parts)),
    ...(await findDisagreements()).map((text) => `after the rebuild: ${text}`),
  ]
}

/** What the product itself finds when it compares its records with each other and with the chain (npm run verify). */
const findDisagreements = async (): Promise<string[]> =>
  (await verifyRecords(systemContext('check'))).map(({ check, subject, detail }) => `${check}: ${subject}: ${detail}`)

const rowsOf = async <T extends pg.QueryResultRow>(side: pg.Client, text: string, values: unknown[] = []) =>
  (await side.query<T>(text, values)).rows

/** How a promise ended, by our books. */
const ENDS = {
  free: `SELECT CASE WHEN status = 'CONFIRMED' AND fulfillment_status = 'COMPLETED' THEN 'delivered' ELSE status::text END AS ended FROM purchase_intents WHERE id = $1`,
  card: `SELECT CASE WHEN status = 'CONFIRMED' AND fulfillment_status = 'COMPLETED' THEN 'delivered' ELSE status::text END AS ended FROM purchase_intents WHERE id = $1`,
  voucher: `SELECT CASE WHEN status = 'CONFIRMED' AND fulfillment_status = 'COMPLETED' THEN 'delivered' ELSE status::text END AS ended FROM purchase_intents WHERE id = $1`,
  claim: `SELECT CASE WHEN state = 'CLAIMED' THEN 'delivered' ELSE state::text END AS ended FROM email_claims WHERE id = $1`,
  mint: `SELECT CASE WHEN state = 'COMPLETED' THEN 'delivered' ELSE state::text END AS ended FROM mint_requests WHERE id = $1`,
}

/** What our books have for an address, of one kind. */
const madeFor = (kind: Promised['kind']): string =>
  kind === 'mint'
    ? 'SELECT id FROM mint_requests WHERE to_address = $1'
    : 'SELECT id FROM purchase_intents WHERE buyer_address = $1'

const EVENTS = [...vitrine721Abi, ...vitrine1155Abi]

type Move = { from: Address; to: Address; txHash: Hex }

/**
 * Who gave which token to whom on the model chain, and where nonces of signed transfers were used or cancelled there.
 */
function movesOn({ network, shop }: Parts) {
  const moves: Move[] = []
  const usedBy = new Map<string, { hash: Hex; block: ModelBlock }>()
  for (let block = network.chain.head(); block.parent; block = block.parent)
    for (const { hash, logs } of block.mined) {
      const own = logs.filter(({ address }) => address === shop.contract)
      for (const { eventName, args } of parseEventLogs({ abi: EVENTS, logs: own as never })) {
        if (eventName === 'Transfer' || eventName === 'TransferSingle')
          moves.push({ from: args.from, to: args.to, txHash: hash })
        if (eventName === 'TransferNonceUsed') usedBy.set(nonceName(args.from, args.nonce), { hash, block })
      }
    }
  return { moves, usedBy }
}

/**
 * Each promise has an address of its own, or is to be kept by our operator: as many tokens were minted or handed over
 * to an address as our books say, and none to anybody else. What nobody got an answer to was made once at most.
 */
async function findBrokenPromises(parts: Parts): Promise<string[]> {
  const { operator } = parts.shop
  const promised = Map.groupBy(parts.people.promised(), ({ address }) => address)
  const deliveries = movesOn(parts).moves.filter(({ from }) => from === zeroAddress || from === operator)
  const broken = deliveries.flatMap(({ to, txHash }) =>
    promised.has(to) ? [] : [`${to} was given a token in ${txHash}, and nothing was promised to it`],
  )
  for (const [address, promises] of promised) {
    const made = await findMade(parts, address, promises)
    if (made.length > promises.length) broken.push(`${address} has ${made.length} for ${promises.length} requests`)
    const ends: string[] = []
    for (const { kind, id } of made)
      ends.push((await rowsOf<{ ended: string }>(parts.side, ENDS[kind], [id]))[0]?.ended ?? 'gone')
    if (ends.includes('UNRESOLVED')) continue
    const count = deliveries.filter(({ to }) => to === address).length
    if (count === ends.filter((end) => end === 'delivered').length) continue
    const told = made.map(({ kind, id }, at) => `${kind} ${id} is ${ends[at]}`).join(', ')
    broken.push(`${told}, and ${address} was given ${count} tokens`)
  }
  return broken
}

/** What was promised to an address: what was answered, and what was made although no answer came. */
async function findMade({ side }: Parts, address: Address, promises: Promised[]) {
  const made = promises.flatMap(({ kind, id }) => (id === null ? [] : [{ kind, id }]))
  for (const kind of new Set(promises.flatMap(({ kind, id }) => (id === null ? [kind] : []))))
    for (const { id } of await rowsOf<{ id: string }>(side, madeFor(kind), [address]))
      if (!made.some((known) => known.id === id)) made.push({ kind, id })
  return made
}

/**
 * Why a transfer failed whose signature may still be sent by somebody else: the holder may have the token again, or
 * another gives more gas.
 */
const STILL_VALID = new Set(['not_owner', 'reverted', 'receiver_refused'])

/**
 * A signed transfer is COMPLETED exactly where the transaction that took its nonce moved the token, whoever sent it.
 * One that failed with a signature that stays valid may be sent by somebody else later: not in a block that was final
 * when it failed.
 */
async function findBrokenTransfers(parts: Parts): Promise<string[]> {
  const { moves, usedBy } = movesOn(parts)
  type Row = {
    id: string
    state: string
    code: string
    tx_hash: string | null
    from: Address
    to: Address
    nonce: string
    at: Date
  }
  const rows = await rowsOf<Row>(
    parts.side,
    `SELECT id, state, failure_code AS code, tx_hash, from_address AS "from", to_address AS "to", nonce, updated_at AS at FROM signed_transfers`,
  )
  return rows.flatMap(({ id, state, code, tx_hash, from, to, nonce, at }) => {
    const by = usedBy.get(nonceName(from, BigInt(nonce)))
    const isMoved = moves.some((move) => move.txHash === by?.hash && move.from === from && move.to === to)
    const mayComeLater = state === 'FAILED' && STILL_VALID.has(code) && !!by && !wasFinal(parts, by.block, at)
    const isTold = isMoved ? (state === 'COMPLETED' && tx_hash === by?.hash) || mayComeLater : state === 'FAILED'
    if (isTold) return []
    return [
      `transfer ${id} is ${state} in ${tx_hash}, and the chain ${isMoved ? `made it in ${by?.hash}` : 'didn’t make it'}`,
    ]
  })
}

/** Whether a block of the chain was final at a time: as deep as the chain asks below the head of then. */
function wasFinal({ network }: Parts, { number }: ModelBlock, at: Date): boolean {
  const final = network.chain.ancestor(network.chain.head(), number + network.habits.finalDepth)
  return final !== null && Number(final.time) * 1000 <= at.getTime()
}

async function findOversold({ side }: Parts): Promise<string[]> {
  const rows = await rowsOf<{ id: string; minted: string; held: string }>(
    side,
    `SELECT i.id, i.minted, coalesce(sum(h.quantity) FILTER (WHERE h.state = 'HELD'), 0) AS held FROM items i LEFT JOIN holds h ON h.item_id = i.id
     GROUP BY i.id HAVING i.minted - (i.kept_by IS NOT NULL)::int + coalesce(sum(h.quantity) FILTER (WHERE h.state = 'HELD'), 0) > coalesce(i.max_supply, 1)`,
  )
  return rows.map(({ id, minted, held }) => `item ${id} is minted ${minted} times and held ${held} times`)
}

/** What was paid at the card provider was delivered or refunded there, or is named as unresolved. */
async function findChargedForNothing({ side }: Parts): Promise<string[]> {
  const rows = await rowsOf<{
    id: string
    amount: string
    refunded: string
    status: string | null
    fulfillment: string | null
  }>(
    side,
    `SELECT s.id, s.amount, s.amount_refunded AS refunded, i.status, i.fulfillment_status AS fulfillment FROM sandbox_payment_intents s
     LEFT JOIN payments p ON p.provider_id = s.id LEFT JOIN purchase_intents i ON i.id = p.intent_id WHERE s.status = 'succeeded'`,
  )
  return rows.flatMap(({ id, amount, refunded, status, fulfillment }) => {
    const isDelivered = status === 'CONFIRMED' && fulfillment === 'COMPLETED'
    const isRefunded = Number(refunded) === Number(amount)
    if (status === 'UNRESOLVED' || isDelivered !== isRefunded) return []
    return [`payment ${id}: ${refunded} of ${amount} are refunded, and its purchase is ${status} and ${fulfillment}`]
  })
}

/** An alarm that is still open has to have a cause that is still there. */
async function findAlarms({ side }: Parts): Promise<string[]> {
  const rows = await rowsOf<{ kind: string; subject: string; detail: string }>(
    side,
    `SELECT a.kind, a.subject, a.detail FROM alarms a WHERE a.resolved_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM purchase_intents i WHERE i.status = 'UNRESOLVED' AND a.subject LIKE '%' || i.id || '%')`,
  )
  return rows.map(({ kind, subject, detail }) => `the alarm ${kind} about ${subject} is open: ${detail}`)
}

/** What the indexer makes of the chain's logs. */
const PROJECTIONS = {
  item_history: 'SELECT to_jsonb(h) AS row FROM item_history h ORDER BY id',
  item_owners: `SELECT to_jsonb(o) - 'updated_at' - 'created_at' AS row FROM item_owners o ORDER BY item_id, address`,
  items: `SELECT to_jsonb(i) - 'updated_at' AS row FROM items i ORDER BY id`,
  holds: `SELECT to_jsonb(h) - 'updated_at' AS row FROM holds h ORDER BY id`,
}

async function findDifferentReplay({ side }: Parts): Promise<string[]> {
  const read = async () => {
    const tables = new Map<string, string[]>()
    for (const [table, text] of Object.entries(PROJECTIONS))
      tables.set(
        table,
        (await rowsOf<{ row: unknown }>(side, text)).map(({ row }) => JSON.stringify(row)),
      )
    return tables
  }
  const before = await read()
  await rebuildProjections(systemContext('check'))
  const after = await read()
  return [...before].flatMap(([table, rows]) => {
    const others = new Set(after.get(table))
    const changed = rows.filter((row) => !others.has(row))
    if (changed.length === 0 && rows.length === others.size) return []
    return [`${table} differs after a replay: ${changed[0] ?? 'there are more rows'}`]
  })
}
