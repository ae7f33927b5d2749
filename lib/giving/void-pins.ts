import type { Context } from '../platform/auth/context.ts'
import type { Statement } from '../db/statements.ts'

const VOID: Statement = {
  name: 'void_pins',
  text: `UPDATE pins SET state = 'VOID' WHERE organization_id = $1::uuid AND claim_id = $2::uuid AND state = 'OPEN'`,
}

/** Makes a claim's open PIN stop working. Call it with the claim locked. */
export const voidPins = (tx: Context, claimId: string): Promise<void> => tx.later(VOID, tx.organizationId, claimId)
