import type { Address } from 'viem'
import type { Collection } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { AppError } from '../core/errors.ts'

type Signed = Pick<Collection, 'id' | 'signer'>

/**
 * Who signs a collection's vouchers: never another account than the one its contract knows, since such a voucher could
 * not be redeemed. undefined: the contract knows none yet. null: the key of its signer isn't configured.
 */
export function findSigner({ ports }: Pick<Context, 'ports'>, { id, signer }: Signed): Address | null | undefined {
  if (signer === null) return undefined
  return ports.keys.voucherSigners(id).find((each) => each === signer) ?? null
}

/** `signer`: the one that the contract knows, where the caller has it. */
export const voucherKeyMissing = (signer?: string | null) =>
  new AppError(
    'unavailable',
    `The key of this collection’s voucher signer${signer ? ` ${signer}` : ''} isn’t configured ` +
      '(VOUCHER_KEY, docs/keys.md).',
  )
