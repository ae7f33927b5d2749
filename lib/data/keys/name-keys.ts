import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { issuedKeyIdOf } from '../../giving/claim-token.ts'
import { purchaseKeyIdOf } from '../../selling/purchases/purchase-secret.ts'

const BATCH = 500

type UnnamedToken = { hash: Uint8Array<ArrayBuffer>; claimId: string; generation: number }
type Named = { id: string; keyId: string }

/**
 * Writes down which server key made the links of claims and purchases that don't say it yet: those from before keys had
 * ids. What no listed key made stays as it is. Returns how many were named.
 */
export const nameKeys = async (worker: SystemContext): Promise<number> =>
  (await nameClaimTokens(worker)) + (await namePurchases(worker))

async function nameClaimTokens(worker: SystemContext): Promise<number> {
  let named = 0
  for (let after: Uint8Array = new Uint8Array(); ;) {
    const rows: UnnamedToken[] = await worker.sql<UnnamedToken>(Prisma.sql`
      SELECT hash, claim_id::text AS "claimId", generation FROM claim_tokens
      WHERE server_key_id IS NULL AND hash > ${Buffer.from(after)} ORDER BY hash LIMIT ${BATCH}`)
    const found = rows.flatMap(({ hash, claimId, generation }): Named[] => {
      const keyId = issuedKeyIdOf({ id: claimId, generation, tokens: [{ hash }] })
      return keyId === null ? [] : [{ id: Buffer.from(hash).toString('hex'), keyId }]
    })
    await write(
      worker,
      Prisma.sql`UPDATE claim_tokens t SET server_key_id = n.key_id`,
      Prisma.sql`t.hash = decode(n.id, 'hex')`,
      found,
    )
    named += found.length
    if (rows.length < BATCH) return named
    after = rows.at(-1)!.hash
  }
}

async function namePurchases(worker: SystemContext): Promise<number> {
  let named = 0
  for (let after: string | null = null; ;) {
    const rows: { id: string; secretHash: Uint8Array<ArrayBuffer>; secretGeneration: number }[] =
      await worker.db.purchaseIntent.findMany({
        where: { serverKeyId: null, ...(after && { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        take: BATCH,
        select: { id: true, secretHash: true, secretGeneration: true },
      })
    const found = rows.flatMap((row): Named[] => {
      const keyId = purchaseKeyIdOf(row)
      return keyId === null ? [] : [{ id: row.id, keyId }]
    })
    await write(
      worker,
      Prisma.sql`UPDATE purchase_intents t SET server_key_id = n.key_id`,
      Prisma.sql`t.id = n.id::uuid`,
      found,
    )
    named += found.length
    if (rows.length < BATCH) return named
    after = rows.at(-1)!.id
  }
}

async function write(
  worker: SystemContext,
  update: Prisma.Sql,
  match: Prisma.Sql,
  named: readonly Named[],
): Promise<void> {
  if (named.length === 0) return
  const [ids, keyIds] = [named.map(({ id }) => id), named.map(({ keyId }) => keyId)]
  await worker.sql(Prisma.sql`
    ${update} FROM unnest(${ids}::text[], ${keyIds}::text[]) AS n (id, key_id)
  WHERE ${match} AND t.server_key_id IS NULL`)
}
