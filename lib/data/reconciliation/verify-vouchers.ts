import { toEventSelector } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { isUsedOnChain } from '../../onchain/vouchers/is-used-on-chain.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { AT, AT_CURSOR, comparePart, type Part, readPart } from './compare-part.ts'
import { findInRows } from './find-in-rows.ts'
import { type Compared, type Finding, foreignOf } from './finding.ts'

const PAGE = 500
const VOUCHER_CANCELLED = toEventSelector('VoucherCancelled(uint256 indexed tokenId, uint256 indexed nonce)')

type Row = {
  id: string
  state: string
  contract: string
  isOurs: boolean
  nonce: bigint
  tokenId: string
  tokenType: 'ERC721' | 'ERC1155'
}

/** Asks the contracts which of a network's vouchers were used, and compares that with their states. One with a fact that waits is left out. */
export async function verifyVouchers(worker: WorkerContext, chain: Chain, compared: Compared): Promise<Finding[]> {
  const findings: Finding[] = []
  for (let after: string | null = null; ;) {
    const result = await comparePart(
      chain,
      () => readPage(worker, chain, after),
      async (node, { rows, at }) => {
        const found = await findInRows(rows, async (row) => findingOf(row, await isUsedOnChain(node, row, at)))
        const explained = await findUsedOtherwise(
          worker,
          found.map(({ subject }) => subject),
        )
        return found.filter(({ subject }) => !explained.has(subject))
      },
    )
    if (!result) return findings
    findings.push(...result.findings)
    compared.vouchers += result.part.rows.length
    after = result.part.rows.at(-1)!.id
  }
}

const readPage = (worker: WorkerContext, chain: Chain, after: string | null): Promise<Part<Row> | null> =>
  readPart<Row>(
    worker,
    Prisma.sql`
      SELECT ${AT}, v.id::text, v.state::text, v.contract, v.nonce, v.token_id AS "tokenId", c.token_type::text AS "tokenType",
        c.deployment_type = 'PLATFORM' AS "isOurs"
      FROM vouchers v JOIN collections c ON c.id = v.collection_id ${AT_CURSOR}
      WHERE v.network_id = ${chain.network.id} AND c.following AND (${after}::uuid IS NULL OR v.id > ${after}::uuid)
        AND NOT EXISTS (SELECT 1 FROM voucher_facts f WHERE f.voucher_id = v.id)
      ORDER BY v.id LIMIT ${PAGE}`,
  )

const findingOf = (row: Row, isUsed: boolean): Finding[] =>
  isUsed === (row.state === 'REDEEMED')
    ? []
    : [
        {
          check: 'a voucher is redeemed exactly if its contract says so',
          subject: row.id,
          detail: `${row.state}, nonce ${row.nonce}; the contract says that it was ${isUsed ? 'used' : 'not used'}`,
          ...foreignOf(row),
        },
      ]

/**
 * Those of these vouchers that aren't redeemed, and whose nonce or token was used up by something else that is entered: a cancellation
 * (ERC-1155), or a mint to somebody else, of another voucher or of a mint request (ERC-721).
 */
async function findUsedOtherwise(worker: WorkerContext, voucherIds: readonly string[]): Promise<Set<string>> {
  if (voucherIds.length === 0) return new Set()
  const rows = await worker.sql<{ id: string }>(Prisma.sql`
    SELECT v.id::text FROM vouchers v JOIN collections c ON c.id = v.collection_id
    WHERE v.id = ANY(${[...voucherIds]}::uuid[]) AND v.state <> 'REDEEMED' AND CASE WHEN c.token_type = 'ERC1155'
      THEN EXISTS (
        SELECT 1 FROM chain_logs l
        WHERE l.collection_id = c.id AND l.topics[1] = ${VOUCHER_CANCELLED} AND l.topics[3] = '0x' || lpad(to_hex(v.nonce), 64, '0'))
      ELSE EXISTS (
        SELECT 1 FROM item_history h
        WHERE h.item_id = v.item_id AND h.type = 'MINT' AND (h.to_address <> v.minter OR h.hold_id IS NOT NULL OR h.voucher_id <> v.id
          OR EXISTS (SELECT 1 FROM mint_requests m WHERE m.item_id = v.item_id AND m.state = 'COMPLETED' AND m.tx_hash = h.tx_hash))
          AND h.voucher_id IS DISTINCT FROM v.id) END`)
  return new Set(rows.map(({ id }) => id))
}
