import type { Address } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { senderOf } from '../../onchain/transactions/sender-of.ts'
import type { SystemContext } from '../../platform/auth/context.ts'

/**
 * How much needs the key of an operator, and how many contracts belong to it, which need it for nothing but their
 * roles.
 */
export type OperatorUses = { minterOf: number; transactions: number; tokens: number; ownerOf: number }

/**
 * Counts what would wait without this operator's key: collections that it mints for, transactions that it sends, tokens
 * in its custody.
 */
export async function countOperatorUses(worker: SystemContext, operator: Address): Promise<OperatorUses> {
  const [uses] = await worker.sql<OperatorUses>(Prisma.sql`
    SELECT
      (SELECT count(*)::int FROM collections
          WHERE minter = ${operator} AND deployment_status IN ('PENDING', 'SUCCESS')) AS "minterOf",
      (SELECT count(*)::int FROM transactions t JOIN collections c ON c.id = t.collection_id
        WHERE (t.state = 'PENDING' AND ${senderOf(worker)} = ${operator})
          OR (t.state = 'SUBMITTED' AND t.operator = ${operator})) AS transactions,
      (SELECT count(*)::int FROM items WHERE kept_by = ${operator}) AS tokens,
      (SELECT count(*)::int FROM collections WHERE owner = ${operator} AND deployment_status = 'SUCCESS') AS "ownerOf"`)
  return uses!
}
