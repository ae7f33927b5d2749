import type { Hex } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { type Chain, ChainUnavailable } from '../../ports/chain/chain.ts'
import { type ChainLogRow, mintKey, movesOf } from '../indexer/moves-of.ts'
import { operatorsOn } from '../indexer/update-custody.ts'
import { readSent } from '../mints/find-our-sender.ts'

/**
 * The transactions in these logs that bring a token to one of our operators by a signature that the books don't know,
 * and that somebody else sent: no mailbox waits for such a token. One that no node tells is none of them.
 */
export async function findStrangersTransfers(
  ctx: SystemContext,
  chain: Chain,
  logs: readonly ChainLogRow[],
): Promise<ReadonlySet<string>> {
  const { moves, signed } = movesOf(logs)
  const bySignature = moves.filter((move) => signed.has(mintKey(move)))
  if (bySignature.length === 0) return new Set()
  const operators = await operatorsOn(ctx, chain.network.id)
  const arrived = bySignature.filter(({ toAddress }) => operators.has(toAddress))
  if (arrived.length === 0) return new Set()
  const unknown = await ctx.sql<{ txHash: string }>(Prisma.sql`
    SELECT DISTINCT m.hash AS "txHash"
    FROM unnest(
        ${arrived.map(({ txHash }) => txHash)}::text[],
        ${arrived.map(({ collectionId }) => collectionId)}::uuid[],
        ${arrived.map(({ fromAddress }) => fromAddress)}::text[],
        ${arrived.map((move) => String(signed.get(mintKey(move))))}::text[]::numeric[]
      ) AS m(hash, collection_id, from_address, nonce)
    WHERE NOT EXISTS (SELECT 1 FROM signed_transfers s
      WHERE s.collection_id = m.collection_id AND s.from_address = m.from_address AND s.nonce = m.nonce)`)
  const strangers = new Set<string>()
  for (const { txHash } of unknown) {
    const sent = await readSent(chain, txHash as Hex).catch((error: unknown) => {
      if (error instanceof ChainUnavailable) return null
      throw error
    })
    if (sent && !operators.has(sent.from)) strangers.add(txHash)
  }
  return strangers
}
