import type pg from 'pg'
import { isAddressEqual, type Address } from 'viem'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { rebuildProjections } from '../../lib/onchain/indexer/rebuild-projections.ts'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import type { SimulatedNetwork } from './network.ts'
import type { People } from './people.ts'
import type { Shop } from './set-up.ts'

type Parts = { side: pg.Client; network: SimulatedNetwork; people: People; shop: Shop }

/** Everything that isn't as it was promised, once all is settled. Empty: all is well. */
export async function findBroken(parts: Parts): Promise<string[]> {
  return [
    ...(await findDisagreements()),
    ...(await findBrokenPromises(parts)),
    ...(await findUnexplainedTokens(parts)),
    ...(await findOversold(parts)),
    ...(await findChargedForNothing(parts)),
    ...(await findAlarms(parts)),
    ...(await findDifferentReplay(parts)),
    ...(await findDisagreements()).map((text) => `after the rebuild: ${text}`),
  ]
}

/** What the product itself finds when it compares its records with each other and with the chain (npm run verify). */
const findDisagreements = async (): Promise<string[]> =>
  (await verifyRecords(workerContext('check'))).map(({ check, subject, detail }) => `${check}: ${subject}: ${detail}`)

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

const tokensOn = ({ network, shop }: Parts): [id: string, owner: Address][] =>
  Object.entries(network.chain.head().state.contracts[shop.contract]?.owners ?? {})

/** Each promise has an address of its own: it has one token where our books say so, and none otherwise. */
async function findBrokenPromises(parts: Parts): Promise<string[]> {
  const tokens = tokensOn(parts)
  const broken: string[] = []
  for (const { kind, address, id } of parts.people.promised()) {
    const count = tokens.filter(([, owner]) => isAddressEqual(owner, address)).length
    const [row] = await rowsOf<{ ended: string }>(parts.side, ENDS[kind], [id])
    const expected = row?.ended === 'delivered' ? 1 : 0
    if (count !== expected && row?.ended !== 'UNRESOLVED')
      broken.push(`${kind} ${id} is ${row?.ended ?? 'gone'}, and ${address} has ${count} tokens`)
  }
  return broken
}

async function findUnexplainedTokens(parts: Parts): Promise<string[]> {
  const addresses = new Set(parts.people.promised().map(({ address }) => address))
  return tokensOn(parts).flatMap(([id, owner]) =>
    addresses.has(owner) ? [] : [`token ${id} belongs to ${owner}, to whom nothing was promised`],
  )
}

async function findOversold({ side }: Parts): Promise<string[]> {
  const rows = await rowsOf<{ id: string; minted: string; held: string }>(
    side,
    `SELECT i.id, i.minted, coalesce(sum(h.quantity) FILTER (WHERE h.state = 'HELD'), 0) AS held FROM items i LEFT JOIN holds h ON h.item_id = i.id
     GROUP BY i.id HAVING i.minted - (i.kept_by IS NOT NULL)::int + coalesce(sum(h.quantity) FILTER (WHERE h.state = 'HELD'), 0) > 1`,
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
  await rebuildProjections(workerContext('check'))
  const after = await read()
  return [...before].flatMap(([table, rows]) => {
    const others = new Set(after.get(table))
    const changed = rows.filter((row) => !others.has(row))
    if (changed.length === 0 && rows.length === others.size) return []
    return [`${table} differs after a replay: ${changed[0] ?? 'there are more rows'}`]
  })
}
