import { AppError } from '../../core/errors.ts'

/** The refusal for an address whose open voucher purchase is of another quantity. */
export const purchaseOpen = (id: string) =>
  new AppError(
    'purchase_open',
    'A purchase of another quantity is open for this address. Pay it, let it expire, or close it with a signature of the address.',
    { extra: { purchase_intent_id: id } },
  )
