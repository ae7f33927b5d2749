import { z } from 'zod'

const INT32_LEAST = -(2n ** 31n)
const UINT256_MOST = 2n ** 256n - 1n
const notTokenId = 'A token id is needed: a whole number up to 2^256 - 1, in decimal digits.'
const isTokenId = (text: string) => INT32_LEAST <= BigInt(text) && BigInt(text) <= UINT256_MOST

/**
 * A token id of a query. One beyond an int32 is a decimal string. A negative int32 names no token, and is taken as it
 * always was.
 */
export const tokenId = z.union(
  [
    z.int().min(Number(INT32_LEAST)).max(2147483647),
    z
      .string()
      .regex(/^(\d{1,78}|-\d{1,10})$/, { abort: true, error: notTokenId })
      .refine(isTokenId, { abort: true, error: notTokenId })
      .overwrite((text) => String(BigInt(text))),
  ],
  notTokenId,
)
