import { createHmac, randomBytes } from 'node:crypto'
import { seal, unseal } from '../../core/secrets.ts'

/**
 * The part of a perk that only holders see. Of CODES: the key by which their prints are made, which stays the same when
 * the server key changes.
 */
export type PerkContent = { text: string } | { url: string } | { printKey: string } | Record<never, never>

/** Of a row of one of the three tables. */
export const sealPerk = (id: string, value: unknown) => new Uint8Array(seal('perk', id, value))
export const unsealPerk = <T>(id: string, sealed: Uint8Array): T => unseal<T>('perk', id, sealed)

export const newPrintKey = (): string => randomBytes(32).toString('base64url')

/** Equal for equal codes of a perk. Without the perk's key nothing of a code can be guessed from it. */
export const printOf = (printKey: string, code: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHmac('sha256', Buffer.from(printKey, 'base64url')).update(code).digest())
