import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import { readServerKeys, voucherKeys } from '../../core/server-keys.ts'

// A backup is sealed for an X25519 key pair (RFC 7748). Its private half opens backups and needs to be on no server;
// whoever has the public half can make backups and read none.

const HEX = /^[0-9a-f]{64}$/i
const PRIVATE_HEAD = Buffer.from('302e020100300506032b656e04220420', 'hex') // PKCS #8 of an X25519 key
const PUBLIC_HEAD = Buffer.from('302a300506032b656e032100', 'hex') // SubjectPublicKeyInfo of one

export const makePrivateKey = (): string => randomBytes(32).toString('hex')

/** The private key of 64 hex digits. Throws an Error that names the setting. */
export function privateKeyOf(hex: string): KeyObject {
  if (!HEX.test(hex))
    throw new Error('BACKUP_KEY must be 64 hex digits. npm run backup -- --make-key <file> makes one.')
  return createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, Buffer.from(hex, 'hex')]), format: 'der', type: 'pkcs8' })
}

function publicKeyOf(hex: string): KeyObject {
  if (!HEX.test(hex))
    throw new Error('BACKUP_PUBLIC_KEY must be 64 hex digits. npm run backup -- --make-key <file> prints it.')
  return publicKeyFrom(Buffer.from(hex, 'hex'))
}

export const publicKeyFrom = (bytes: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, bytes]), format: 'der', type: 'spki' })

/** The 32 bytes of a pair's public key. */
export const publicBytesOf = (key: KeyObject): Buffer =>
  (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'der', type: 'spki' }).subarray(-32)

/** Names a secret without telling it, so that the one in use can be compared with that of a backup. */
export const fingerprintOf = (secret: string): string =>
  createHash('sha256').update(`vitrine/backup/fingerprint/${secret.toLowerCase()}`).digest('hex').slice(0, 16)

type Settings = { BACKUP_KEY: string; BACKUP_PUBLIC_KEY: string; SERVER_KEY: string; VOUCHER_KEY: string }

const keysOf = ({ SERVER_KEY, VOUCHER_KEY }: Settings): string[] =>
  [SERVER_KEY, VOUCHER_KEY]
    .flatMap((keys) => keys.split(','))
    .map((key) =>
      key
        .trim()
        .toLowerCase()
        .replace(/^derived:/, ''),
    )

/** Names the keys that voucher signers are derived from, however the settings give them; none where no key is set. */
export function voucherPrints({ SERVER_KEY, VOUCHER_KEY }: Pick<Settings, 'SERVER_KEY' | 'VOUCHER_KEY'>): string[] {
  if (!SERVER_KEY && !VOUCHER_KEY) return []
  return voucherKeys(VOUCHER_KEY, () => readServerKeys(SERVER_KEY)).map((key) => fingerprintOf(key.toString('hex')))
}

/** The public key that backups are sealed for by the settings. Throws an Error that says what to set. */
export function sealingKey(settings: Settings): KeyObject {
  const { BACKUP_KEY, BACKUP_PUBLIC_KEY } = settings
  if (!BACKUP_KEY && !BACKUP_PUBLIC_KEY)
    throw new Error(
      'Set BACKUP_PUBLIC_KEY, the key that backups are sealed for. npm run backup -- --make-key <file> makes one.',
    )
  const ofPrivate = BACKUP_KEY ? createPublicKey(openingKey(settings)) : null
  const ofPublic = BACKUP_PUBLIC_KEY ? publicKeyOf(BACKUP_PUBLIC_KEY) : null
  if (ofPrivate && ofPublic && !publicBytesOf(ofPrivate).equals(publicBytesOf(ofPublic)))
    throw new Error('BACKUP_KEY and BACKUP_PUBLIC_KEY are not of one pair. Set only one of them.')
  const chosen = (ofPublic ?? ofPrivate)!
  if (keysOf(settings).some((key) => HEX.test(key) && publicBytesOf(privateKeyOf(key)).equals(publicBytesOf(chosen))))
    throw new Error('BACKUP_PUBLIC_KEY belongs to a key of the server. It must be of a key pair of its own.')
  return chosen
}

/** The private key that opens backups, from the settings. Throws an Error that says what to set. */
export function openingKey(settings: Settings): KeyObject {
  const { BACKUP_KEY } = settings
  if (!BACKUP_KEY)
    throw new Error('Set BACKUP_KEY, the private key of backups, or name the file that holds it: --key <file>.')
  if (keysOf(settings).includes(BACKUP_KEY.toLowerCase()))
    throw new Error('BACKUP_KEY is the same as a key of the server. It must be one of its own.')
  return privateKeyOf(BACKUP_KEY)
}
