import type { Escrow, EscrowState, SignedTransferState } from '../../../generated/prisma/client.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { EscrowShown, getTransfer as endpoint } from '../../platform/api/transfers.ts'

export const ESCROW_SHOWN = { select: { state: true, offeredUntil: true, failure: true } } as const

const STATES = {
  WAITING: 'WAITING',
  HELD: 'HELD',
  OFFERED: 'HELD',
  TAKEN: 'TAKEN',
  RETURNING: 'RETURNING',
  RETURN_REFUSED: 'RETURN_REFUSED',
  RETURNED: 'RETURNED',
  ENDED: 'ENDED',
} as const satisfies Record<EscrowState, EscrowShown>

/**
 * Where a token is that was sent to a mailbox. It says nothing of the mailbox, nor of the wallet that its owner chose.
 */
export const escrowOf = (
  { state, offeredUntil, failure }: Pick<Escrow, 'state' | 'offeredUntil' | 'failure'>,
  transfer: SignedTransferState,
): Output<typeof endpoint>['escrow'] => ({
  state: state === 'WAITING' && transfer === 'FAILED' ? 'ENDED' : STATES[state],
  held_until: offeredUntil,
  failure,
})
