import type { PaymentState } from '../../../generated/prisma/client.ts'
import { stateTable } from '../../records/audit/advance-rows.ts'

/**
 * The states of a card payment. CREATING: the provider may not know it yet. CANCELLING: cancelled here, not yet
 * acknowledged there. Paid stays paid until all of it is refunded: after a refund of a part it is SUCCEEDED again. A
 * dispute may be won.
 */
export const PAYMENT = stateTable<PaymentState>('payment', 'payment.*', {
  CREATING: ['OPEN', 'CANCELLING', 'CANCELLED', 'SUCCEEDED'],
  OPEN: ['CANCELLING', 'CANCELLED', 'SUCCEEDED'],
  CANCELLING: ['CANCELLED', 'SUCCEEDED'],
  CANCELLED: [],
  SUCCEEDED: ['REFUNDING', 'REFUNDED', 'DISPUTED'],
  REFUNDING: ['SUCCEEDED', 'REFUNDED', 'DISPUTED'],
  DISPUTED: ['SUCCEEDED', 'REFUNDED'],
  REFUNDED: [],
})

/** Nothing is paid yet, and something still may be. */
export const UNPAID = ['CREATING', 'OPEN', 'CANCELLING'] as const satisfies readonly PaymentState[]

export const isUnpaid = (state: PaymentState): boolean => (UNPAID as readonly PaymentState[]).includes(state)
