import { encodeFunctionData, getAddress, numberToHex, parseAbi, slice } from 'viem'
import { Prisma, type TokenType } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain, ChainNode } from '../../ports/chain/chain.ts'
import { AT, AT_CURSOR, comparePart, IS_MATCHED, type Part, readPart } from './compare-part.ts'
import { findInRows } from './find-in-rows.ts'
import { type Compared, type Finding, foreignOf } from './finding.ts'
import { type Contract, CONTRACTS, readWord } from './read-word.ts'

const MAX_ITEMS = 20_000
const PAGE = 500

const OWNER_OF = parseAbi(['function ownerOf(uint256 id) view returns (address)'])
const TOTAL_MINTED = parseAbi(['function totalMinted(uint256 id) view returns (uint256)'])
const TOTAL_SUPPLY = parseAbi(['function totalSupply(uint256 id) view returns (uint256)'])

const NOBODY = 'nobody'

const ITEM = columns('i', 'Item', ['id', 'tokenId', 'minted'])
type Row = Contract &
  RowOf<typeof ITEM> & {
    tokenId: string
    tokenType: TokenType
    /** The recorded owners, how many they are, and their units. */
    owner: string | null
    owners: number
    units: string
  }

/**
 * Compares the newest items with the chain, also those that aren't minted: an ERC-721 token's owner, and how many units
 * of an ERC-1155 token there are. Those of foreign contracts come after ours, so that no number of them keeps ours from
 * being compared.
 */
export async function verifyItems(worker: SystemContext, chain: Chain, compared: Compared): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const type of CONTRACTS) {
    let after: string | null = null
    for (let count = 0; count < MAX_ITEMS; count += PAGE) {
      const result = await comparePart(chain, () => readPage(worker, chain, type, after), compareItems)
      if (!result) break
      findings.push(...result.findings)
      compared.tokens += result.part.rows.length
      after = result.part.rows.at(-1)!.id
    }
  }
  return findings
}

const readPage = (
  worker: SystemContext,
  chain: Chain,
  type: (typeof CONTRACTS)[number],
  after: string | null,
): Promise<Part<Row> | null> =>
  readPart<Row>(
    worker,
    Prisma.sql`
      SELECT ${AT}, ${Prisma.raw(ITEM)}, ${Prisma.raw(columns('c', 'Collection', ['tokenType']))},
        c.contract_address AS contract,
        c.deployment_type = 'PLATFORM' AS "isOurs", o.owner, o.owners, o.units::text
      FROM items i JOIN collections c ON c.id = i.collection_id ${AT_CURSOR}
      LEFT JOIN LATERAL (
        SELECT min(address) AS owner, count(*)::int AS owners, coalesce(sum(quantity), 0) AS units FROM item_owners
        WHERE item_id = i.id) o ON true
      WHERE c.network_id = ${chain.network.id} AND c.following AND c.contract_address IS NOT NULL
        AND c.token_type IS NOT NULL AND c.deployment_type = ${type}::"DeploymentType"
        AND i.token_id IS NOT NULL AND (${after}::uuid IS NULL OR i.id < ${after}::uuid) AND ${IS_MATCHED}
      ORDER BY i.id DESC LIMIT ${PAGE}`,
  )

const compareItems = (node: ChainNode, { rows, at }: Part<Row>): Promise<Finding[]> =>
  findInRows(rows, (row) => (row.tokenType === 'ERC721' ? compareOwner(node, row, at) : compareUnits(node, row, at)))

async function compareOwner(node: ChainNode, row: Row, at: bigint): Promise<Finding[]> {
  const data = encodeFunctionData({ abi: OWNER_OF, args: [BigInt(row.tokenId)] })
  const said = await readWord(node, row, data, at)
  if (said === null && !row.isOurs) return []
  const owner = said === null ? 'nothing' : said === 'reverts' || said === 0n ? NOBODY : addressOf(said)
  const recorded = row.owners > 1 ? `${row.owners} owners` : (row.owner ?? NOBODY)
  return owner === recorded ? [] : [findingOf(row, 'owners are the chain’s', recorded, owner)]
}

const addressOf = (word: bigint): string => getAddress(slice(numberToHex(word, { size: 32 }), 12))

async function compareUnits(node: ChainNode, row: Row, at: bigint): Promise<Finding[]> {
  const args = [BigInt(row.tokenId)] as const
  const data = row.isOurs
    ? encodeFunctionData({ abi: TOTAL_MINTED, args })
    : encodeFunctionData({ abi: TOTAL_SUPPLY, args })
  const said = await readWord(node, row, data, at)
  if (!row.isOurs && (said === null || said === 'reverts')) return []
  const recorded = row.isOurs ? String(row.minted) : row.units
  return String(said) === recorded ? [] : [findingOf(row, 'units are the chain’s', recorded, String(said ?? 'nothing'))]
}

const findingOf = (row: Row, check: string, recorded: string, said: string): Finding => ({
  check,
  subject: row.id,
  detail: `token ${row.tokenId}: we say ${recorded}, the chain says ${said}`,
  ...foreignOf(row),
})
