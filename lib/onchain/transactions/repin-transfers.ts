import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'

/** Lets waiting transfers of tokens that moved between our operators be sent by the new custodian. */
export async function repinTransfers(tx: SystemContext, itemIds: readonly string[]): Promise<void> {
  if (itemIds.length === 0) return
  await tx.sql(Prisma.sql`
    UPDATE transactions t SET payload = jsonb_set(t.payload, '{from}', to_jsonb(i.kept_by)), updated_at = ${tx.now()}
    FROM items i
    WHERE i.id = ANY(${[...itemIds]}::uuid[]) AND i.kept_by IS NOT NULL AND t.organization_id = i.organization_id
      AND t.collection_id = i.collection_id
      AND t.tx_type = 'TRANSFER_TOKEN' AND t.state = 'PENDING' AND t.payload->>'item_id' = i.id::text
      AND t.payload->>'from' <> i.kept_by`)
}
