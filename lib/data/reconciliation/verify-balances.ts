import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain, ChainNode } from '../../ports/chain/chain.ts'
import { AT, AT_CURSOR, comparePart, IS_MATCHED, type Part, readPart } from './compare-part.ts'
import { findInRows } from './find-in-rows.ts'
import { type Finding, foreignOf } from './finding.ts'
import { type Contract, CONTRACTS, readWord } from './read-word.ts'

const MAX_OWNERS = 20_000
const PAGE = 500

const BALANCE_OF = parseAbi(['function balanceOf(address owner, uint256 id) view returns (uint256)'])

type Row = Contract & { itemId: string; tokenId: string; address: Address; units: string }

/**
 * Compares the recorded owners of the newest ERC-1155 items with the chain. An owner that isn't recorded is noticed by
 * the sum: the recorded ones have all units that were minted and not burnt.
 */
export async function verifyBalances(worker: SystemContext, chain: Chain): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const type of CONTRACTS) {
    let after: Row | null = null
    for (let count = 0; count < MAX_OWNERS; count += PAGE) {
      const result = await comparePart(chain, () => readPage(worker, chain, type, after), compareBalances)
      if (!result) break
      findings.push(...result.findings)
      after = result.part.rows.at(-1)!
    }
  }
  return findings
}

const readPage = (
  worker: SystemContext,
  chain: Chain,
  type: (typeof CONTRACTS)[number],
  after: Row | null,
): Promise<Part<Row> | null> =>
  readPart<Row>(
    worker,
    Prisma.sql`
      SELECT ${AT}, i.id::text AS "itemId", i.token_id AS "tokenId", c.contract_address AS contract,
        c.deployment_type = 'PLATFORM' AS "isOurs",
        o.address, o.quantity::text AS units
      FROM item_owners o JOIN items i ON i.id = o.item_id JOIN collections c ON c.id = i.collection_id ${AT_CURSOR}
      WHERE c.network_id = ${chain.network.id} AND c.following AND c.contract_address IS NOT NULL
        AND c.token_type = 'ERC1155' AND ${IS_MATCHED} AND c.deployment_type = ${type}::"DeploymentType"
        ${after ? Prisma.sql`AND (o.item_id, o.address) < (${after.itemId}::uuid, ${after.address})` : Prisma.empty}
      ORDER BY o.item_id DESC, o.address DESC LIMIT ${PAGE}`,
  )

const compareBalances = (node: ChainNode, { rows, at }: Part<Row>): Promise<Finding[]> =>
  findInRows(rows, async (row) => {
    const data = encodeFunctionData({ abi: BALANCE_OF, args: [row.address, BigInt(row.tokenId)] })
    const said = await readWord(node, row, data, at)
    if (String(said) === row.units || (said === null && !row.isOurs)) return []
    const says = `the chain says ${said ?? 'nothing'}`
    const detail = `token ${row.tokenId}: we say that ${row.address} has ${row.units}, ${says}`
    return [{ check: 'owners are the chain’s', subject: row.itemId, detail, ...foreignOf(row) }]
  })
