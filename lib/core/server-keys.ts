import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { env } from './env.ts'
import { AppError } from './errors.ts'

/** One of the keys in SERVER_KEY. `id` names it without telling anything of it: 8 hex digits. */
export type ServerKey = { id: string; derive: (info: string) => KeyObject }

const HEX_KEY = /^[0-9a-f]{64}$/i

/** HKDF-SHA256 (RFC 5869), 32 bytes. */
const hkdf = (root: Buffer, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', root, Buffer.alloc(0), `vitrine/${info}`, 32))

function serverKeyOf(text: string): ServerKey {
  if (!HEX_KEY.test(text)) throw new Error('SERVER_KEY must be 64 hex digits, or several keys of 64, comma-separated.')
  const root = Buffer.from(text, 'hex')
  // From bytes, Node would make a key anew at each use.
  const derived = new Map<string, KeyObject>()
  return {
    id: hkdf(root, 'key-id/v1').toString('hex', 0, 4),
    derive(info) {
      const known = derived.get(info)
      if (known) return known
      const made = createSecretKey(hkdf(root, info))
      derived.set(info, made)
      return made
    },
  }
}

/**
 * The keys in a setting's text, in its order. Throws an Error for what isn't a key, and for a key that is there twice.
 */
export function readServerKeys(text: string): readonly ServerKey[] {
  const keys = text.split(',').map((part) => serverKeyOf(part.trim()))
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('SERVER_KEY lists a key twice.')
  return keys
}

let known: readonly ServerKey[] | undefined

/** The keys of this process: the first makes everything new, all of them open what was made before. */
export const serverKeys = (): readonly ServerKey[] => (known ??= readServerKeys(env.SERVER_KEY))

/** Replaces the keys of this process, for tests; null: those of the settings again. */
export function replaceServerKeys(text: string | null): void {
  known = text === null ? undefined : readServerKeys(text)
}

/** Something was made with a key that SERVER_KEY doesn't list (any more). */
export class KeyMissing extends AppError {
  /** null: what was made doesn't say with which key. */
  readonly keyId: string | null
  constructor(what: string, keyId: string | null, next = '') {
    const key = keyId === null ? 'a server key that' : `the server key ${keyId}, which`
    super(
      'unavailable',
      `${what} was made with ${key} this installation doesn’t list in SERVER_KEY.${next && ` ${next}`}`,
    )
    this.keyId = keyId
  }
}

/** A key with this id; undefined when it isn't listed. */
export const findServerKey = (id: string): ServerKey | undefined => serverKeys().find((key) => key.id === id)

const NO_VOUCHER_KEY =
  'SERVER_KEY lists several keys and VOUCHER_KEY is empty. Voucher signers are derived from one of them, ' +
  'and contracts know them: write their key to a file with npm run rotate-key -- --voucher-key-file <path>, ' +
  'and set VOUCHER_KEY to what it says (docs/keys.md).'

/**
 * `derived:` and 64 hex digits are the key itself, as `npm run rotate-key` writes it; 64 hex digits are what it is
 * derived from.
 */
function voucherKeyOf(text: string): Buffer {
  const [, itself] = /^derived:([0-9a-f]{64})$/i.exec(text) ?? []
  if (itself) return Buffer.from(itself, 'hex')
  if (!HEX_KEY.test(text)) throw new Error('VOUCHER_KEY must be 64 hex digits, with or without derived: before them.')
  return hkdf(Buffer.from(text, 'hex'), VOUCHER_INFO)
}

const VOUCHER_INFO = 'voucher-signer/v1'

/** The key that voucher signers were derived from while VOUCHER_KEY was empty. */
export const voucherKeyFrom = (key: ServerKey): Buffer => key.derive(VOUCHER_INFO).export()

/**
 * The keys that voucher signers are derived from. New collections get the signer of the first. They never follow a
 * change of SERVER_KEY: with several keys there, throws an Error unless VOUCHER_KEY says which.
 */
export function voucherKeys(setting = env.VOUCHER_KEY, keys = serverKeys): readonly Buffer[] {
  if (setting !== '') return setting.split(',').map((part) => voucherKeyOf(part.trim()))
  const [only, ...others] = keys()
  if (others.length > 0) throw new Error(NO_VOUCHER_KEY)
  return [voucherKeyFrom(only!)]
}
