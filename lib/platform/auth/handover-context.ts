import { createHash } from 'node:crypto'
import { notFound } from '../../core/errors.ts'
import { systemScope } from '../../db/scope.ts'
import type { Statement } from '../../db/statements.ts'
import { type Caller, contextOf } from './authenticate.ts'
import type { Context } from './context.ts'

/** 128 random bits: nobody guesses one within its five minutes. */
export const HANDOVER_BYTES = 16
const CODE = /^[A-Za-z0-9_-]{22}$/

/** Codes are stored as this hash only. */
export const handoverHash = (code: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(`handover ${code}`).digest())

export const isHandoverCode = (code: string): boolean => CODE.test(code)

const FIND: Statement = {
  name: 'find_claim_handover',
  text: `SELECT claim_id AS id, organization_id AS "organizationId", generation FROM claim_handovers
    WHERE hash = $1::bytea`,
}

/**
 * Whoever has the code of a handover, as the holder of the link that it was made for. Whether the code still works is
 * up to the verb. Throws not found.
 */
export async function handoverContext(code: string, caller: Caller): Promise<Context> {
  if (!isHandoverCode(code)) throw notFound()
  const [found] = await systemScope().rows<{ id: string; organizationId: string; generation: number }>(
    FIND,
    handoverHash(code),
  )
  if (!found) throw notFound()
  const { id, generation, organizationId } = found
  return contextOf(caller, organizationId, { type: 'claim', id, generation })
}
