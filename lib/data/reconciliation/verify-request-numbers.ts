import { encodeFunctionData, parseAbi } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain, ChainNode } from '../../ports/chain/chain.ts'
import { AT, AT_CURSOR, comparePart, type Part, readPart } from './compare-part.ts'
import { findInRows } from './find-in-rows.ts'
import { type Compared, type Finding, foreignOf } from './finding.ts'
import { type Contract, readWord } from './read-word.ts'

const PAGE = 500
const IS_USED = parseAbi(['function isUsed(uint256 requestIdOrNonce) view returns (bool)'])

const MINT = columns('m', 'MintRequest', ['id', 'state', 'requestNumber'])
type Row = Contract & RowOf<typeof MINT>

/**
 * Asks the ERC-1155 contracts which request numbers were used: those of completed mints were, those of failed and
 * cancelled ones weren't. A mint that was taken for delivered by an earlier one, of which no transaction was signed,
 * never used its own.
 */
export async function verifyRequestNumbers(
  worker: SystemContext,
  chain: Chain,
  compared: Compared,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (let after: string | null = null; ;) {
    const result = await comparePart(chain, () => readPage(worker, chain, after), compareNumbers)
    if (!result) return findings
    findings.push(...result.findings)
    compared.mintRequests += result.part.rows.length
    after = result.part.rows.at(-1)!.id
  }
}

const readPage = (worker: SystemContext, chain: Chain, after: string | null): Promise<Part<Row> | null> =>
  readPart<Row>(
    worker,
    Prisma.sql`
      SELECT ${AT}, ${Prisma.raw(MINT)}, c.contract_address AS contract,
        c.deployment_type = 'PLATFORM' AS "isOurs"
      FROM mint_requests m JOIN collections c ON c.id = m.collection_id
        JOIN transactions t ON t.id = m.transaction_id ${AT_CURSOR}
      WHERE c.network_id = ${chain.network.id} AND c.following AND c.token_type = 'ERC1155'
        AND (${after}::uuid IS NULL OR m.id > ${after}::uuid)
        AND (m.state IN ('FAILED', 'CANCELLED') OR (m.state = 'COMPLETED' AND t.block_number <= k.number
          AND EXISTS (SELECT 1 FROM signed_transactions s WHERE s.transaction_id = t.id)))
      ORDER BY m.id LIMIT ${PAGE}`,
  )

const compareNumbers = (node: ChainNode, { rows, at }: Part<Row>): Promise<Finding[]> =>
  findInRows(rows, async (row) => {
    const { id, state, requestNumber } = row
    const data = encodeFunctionData({ abi: IS_USED, args: [requestNumber] })
    const said = await readWord(node, row, data, at)
    if (said === (state === 'COMPLETED' ? 1n : 0n)) return []
    const words = said === 1n ? 'that it was used' : said === 0n ? 'that it was not used' : 'nothing'
    const detail = `${state}, request number ${requestNumber}; the contract says ${words}`
    return [
      { check: 'a mint request is completed exactly if its number was used', subject: id, detail, ...foreignOf(row) },
    ]
  })
