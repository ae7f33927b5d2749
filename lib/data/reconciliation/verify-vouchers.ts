import { Prisma, type TokenType } from '../../../generated/prisma/client.ts'
import { findUsedOtherwise } from '../../onchain/vouchers/find-used-otherwise.ts'
import { isUsedOnChain } from '../../onchain/vouchers/is-used-on-chain.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { AT, AT_CURSOR, comparePart, type Part, readPart } from './compare-part.ts'
import { findInRows } from './find-in-rows.ts'
import { type Compared, type Finding, foreignOf } from './finding.ts'

const PAGE = 500

const VOUCHER = columns('v', 'Voucher', ['id', 'state', 'contract', 'nonce', 'tokenId'])
type Row = RowOf<typeof VOUCHER> & { tokenType: TokenType; isOurs: boolean }

/**
 * Asks the contracts which of a network's vouchers were used, and compares that with their states. One with a fact that
 * waits is left out.
 */
export async function verifyVouchers(worker: SystemContext, chain: Chain, compared: Compared): Promise<Finding[]> {
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

const readPage = (worker: SystemContext, chain: Chain, after: string | null): Promise<Part<Row> | null> =>
  readPart<Row>(
    worker,
    Prisma.sql`
      SELECT ${AT}, ${Prisma.raw(VOUCHER)}, ${Prisma.raw(columns('c', 'Collection', ['tokenType']))},
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
