import { encodeFunctionData, parseAbi } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain, ChainNode } from '../../ports/chain/chain.ts'
import { AT, AT_CURSOR, comparePart, type Part, readPart } from './compare-part.ts'
import { findInRows } from './find-in-rows.ts'
import { type Compared, type Finding, foreignOf } from './finding.ts'
import { type Contract, readWord } from './read-word.ts'

const PAGE = 100
const TOTAL_SUPPLY = encodeFunctionData({ abi: parseAbi(['function totalSupply() view returns (uint256)']) })

type Row = Contract & { id: string; tokenType: 'ERC721' | 'ERC1155'; units: string }

/**
 * Compares the number of tokens of foreign ERC-721 contracts with their history, where they tell it. Our own contracts
 * count per token or not at all: verifyItems compares them.
 */
export async function verifySupplies(worker: SystemContext, chain: Chain, compared: Compared): Promise<Finding[]> {
  const findings: Finding[] = []
  for (let after: string | null = null; ;) {
    const result = await comparePart(chain, () => readPage(worker, chain, after), compareSupplies)
    if (!result) return findings
    findings.push(...result.findings)
    compared.contracts += result.part.rows.length
    after = result.part.rows.at(-1)!.id
  }
}

const readPage = (worker: SystemContext, chain: Chain, after: string | null): Promise<Part<Row> | null> =>
  readPart<Row>(
    worker,
    Prisma.sql`
      SELECT ${AT}, c.id::text, c.contract_address AS contract, c.token_type::text AS "tokenType",
        c.deployment_type = 'PLATFORM' AS "isOurs",
        coalesce(h.units, 0)::text AS units
      FROM collections c ${AT_CURSOR}
      LEFT JOIN LATERAL (
        SELECT sum(CASE type WHEN 'MINT' THEN quantity WHEN 'BURN' THEN -quantity ELSE 0 END) AS units
        FROM item_history WHERE collection_id = c.id AND c.deployment_type = 'EXTERNAL') h ON true
      WHERE c.network_id = ${chain.network.id} AND c.following AND c.contract_address IS NOT NULL
        AND (${after}::uuid IS NULL OR c.id > ${after}::uuid)
      ORDER BY c.id LIMIT ${PAGE}`,
  )

const compareSupplies = (node: ChainNode, { rows, at }: Part<Row>): Promise<Finding[]> =>
  findInRows(rows, async (row) => {
    if (row.isOurs || row.tokenType !== 'ERC721') return []
    const said = await readWord(node, row, TOTAL_SUPPLY, at)
    if (said === null || said === 'reverts' || said === BigInt(row.units)) return []
    const detail = `we say ${row.units} tokens, the contract ${said}`
    return [{ check: 'a contract’s supply is what its logs say', subject: row.id, detail, ...foreignOf(row) }]
  })
