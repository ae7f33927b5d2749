import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'

/**
 * Only the custodian can send a transfer that somebody waits for; a transfer without a waiting request may be closed by
 * any operator.
 */
const isWaitedFor = Prisma.sql`t.tx_type = 'TRANSFER_TOKEN' AND EXISTS (SELECT 1 FROM mint_requests w
    WHERE w.transaction_id = t.id AND w.state = 'WAITING')`

/**
 * Which account sends a waiting transaction `t` of a collection `c`: the custodian of a token, the one whose nonce is
 * to be used up, the contract's owner for its roles, the first operator where any will do, else the collection's own
 * minter, since no other may call its contract. While that one's key is missing, the transaction waits.
 */
export const senderOf = ({ ports }: SystemContext): Prisma.Sql => Prisma.sql`
  CASE WHEN ${isWaitedFor} THEN t.payload->>'from'
    WHEN t.tx_type = 'CANCEL' THEN t.payload->>'from'
    WHEN t.tx_type = 'SET_ROLES' THEN c.owner
    WHEN c.minter IS NULL OR t.tx_type IN ('DEPLOY_TOKEN_CONTRACT', 'TRANSFER_TOKEN', 'SIGNED_TRANSFER')
      THEN ${ports.keys.operators[0] ?? ''}
    ELSE c.minter END`
