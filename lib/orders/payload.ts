import { z } from 'zod'
import type { TransactionType } from '../../generated/prisma/client.ts'

const nothing = z.object({})

/**
 * The payload of each type of transaction. Mints are rows of their own (`ordinary`: not as a consecutive batch again);
 * a transfer is sent by the custodian (`from`) and by no other; a cancel calls nothing, and uses up a nonce of one
 * operator (`from`).
 */
export const PAYLOADS = {
  DEPLOY_TOKEN_CONTRACT: nothing,
  ADMIN_MINT: z.object({ ordinary: z.boolean().optional() }),
  TRANSFER_TOKEN: z.object({ item_id: z.string(), from: z.string(), to: z.string(), quantity: z.string() }),
  SET_ROYALTY: z.object({ token_id: z.string().nullable(), receiver: z.string(), amount_bps: z.number() }),
  SET_BASE_URI: z.object({ base_uri: z.string() }),
  UPDATE_METADATA: z.object({ from_token_id: z.string(), to_token_id: z.string() }),
  CANCEL_VOUCHER: z.object({ voucher_id: z.string() }),
  SET_MAX_SUPPLY: z.object({ max_supply: z.string() }),
  SET_ROLES: z.object({ account: z.string(), roles: z.string() }),
  CANCEL: z.object({ from: z.string() }),
  SIGNED_TRANSFER: z.object({ transfer_id: z.string() }),
} as const satisfies Record<TransactionType, z.ZodObject>

export type Payload<T extends TransactionType = TransactionType> = z.output<(typeof PAYLOADS)[T]>

/** The payload of a row, parsed. */
export const payloadOf = <T extends TransactionType>(txType: T, payload: unknown): Payload<T> =>
  PAYLOADS[txType].parse(payload ?? {}) as Payload<T>
