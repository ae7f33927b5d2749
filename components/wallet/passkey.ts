import type { Address, Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { fromBase64Url, toBase64Url } from '../shared/base64url.ts'
import { type CopySecrets, deriveCopySecrets, deriveKey, prfSalt } from './derive.ts'

/** A wallet derived from a passkey: its key, and whether the passkey is backed up. */
export type PasskeyWallet = {
  key: Hex
  address: Address
  /** base64url */
  credentialId: string
  /** The passkey is synced to an account of the person, not stored on this device only. */
  backedUp: boolean
  /** It was added to a wallet of another key, which its copy holds (copies.ts). null: this device doesn't say. */
  isAdded: boolean | null
  copy: CopySecrets
}

export type PasskeyRefusal =
  /** No passkey here, or the person closed the dialog: browsers don't distinguish the two. */
  | 'declined'
  /** One of the excluded passkeys is already on this device. */
  | 'exists'
  /** This browser or authenticator has no PRF extension, so no key can be derived. */
  | 'no_prf'
  /** The page isn't secure, or passkeys are switched off. */
  | 'unavailable'
  /** The copy of the wallet that it was added to can't be read now. */
  | 'unreachable'
  /** It was made for a wallet, whose copy was never kept. */
  | 'unfinished'

export class PasskeyError extends Error {
  readonly refusal: PasskeyRefusal
  constructor(refusal: PasskeyRefusal, cause?: unknown) {
    super(`Passkey: ${refusal}.`, { cause })
    this.refusal = refusal
  }
}

/** Whether passkeys may work here. True for a browser that doesn't report its capabilities. */
export async function passkeysCanWork(): Promise<boolean> {
  if (typeof PublicKeyCredential === 'undefined' || !isSecureContext) return false
  return (await clientCapabilities())['extension:prf'] !== false
}

async function clientCapabilities(): Promise<Record<string, boolean | undefined>> {
  if (typeof PublicKeyCredential === 'undefined') return {}
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- older browsers don't have it
  return (await PublicKeyCredential.getClientCapabilities?.().catch(() => undefined)) ?? {}
}

/** Whether this browser says at once, and without a dialog, that a device has no passkey (`uiMode: 'immediate'`). */
export const looksQuietly = async (): Promise<boolean> => (await clientCapabilities())['immediateGet'] === true

/**
 * Unlocks the wallet of an existing passkey; with `credentialId`, of that one. With `quietly`, browsers that can tell
 * at once that this device has none refuse without showing a dialog. Others ignore `uiMode`, which the DOM types lack.
 */
export async function unlockPasskey(
  rpId: string,
  { credentialId, quietly = false }: { credentialId?: string; quietly?: boolean } = {},
): Promise<PasskeyWallet> {
  const immediate = quietly && (await looksQuietly())
  const credential = await ask(() =>
    navigator.credentials.get({
      ...(immediate ? { uiMode: 'immediate' } : {}),
      publicKey: {
        rpId,
        challenge: crypto.getRandomValues(new Uint8Array(32)),
        userVerification: 'required',
        allowCredentials: credentialId ? [{ type: 'public-key', id: fromBase64Url(credentialId) }] : [],
        extensions: { prf: { eval: { first: prfSalt } } },
      },
    }),
  )
  const response = credential.response as AuthenticatorAssertionResponse
  const secret = prfOf(credential)
  if (!secret) throw new PasskeyError('no_prf')
  const isAdded = response.userHandle && isAddedHandle(new Uint8Array(response.userHandle))
  return walletOf(credential, secret, new Uint8Array(response.authenticatorData), isAdded)
}

/** How the user handle of a passkey begins that was added to a wallet. A device gives it back with each answer. */
const ADDED = new TextEncoder().encode('vitrine/added/')

const isAddedHandle = (handle: Uint8Array): boolean => ADDED.every((byte, at) => handle[at] === byte)

/** A new handle each time: with a fixed one, a second passkey would silently replace the first, and its key. */
function newHandle(isAdded: boolean): Uint8Array<ArrayBuffer> {
  const random = crypto.getRandomValues(new Uint8Array(16))
  return isAdded ? new Uint8Array([...ADDED, ...random]) : random
}

/**
 * Creates a passkey and derives its wallet. Call `unlockPasskey` first: a person who has a wallet here must not get a
 * second one. Authenticators that return no PRF output at creation are asked for an assertion. `isAdded`: for a wallet
 * that has another passkey.
 */
export async function createPasskey(
  rpId: string,
  label: string,
  known: string[] = [],
  isAdded = false,
): Promise<PasskeyWallet> {
  const credential = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { id: rpId, name: 'Vitrine' },
        user: { id: newHandle(isAdded), name: label, displayName: label },
        challenge: crypto.getRandomValues(new Uint8Array(32)),
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        excludeCredentials: known.map((id) => ({ type: 'public-key' as const, id: fromBase64Url(id) })),
        extensions: { prf: { eval: { first: prfSalt } } },
      },
    }),
  )
  const response = credential.response as AuthenticatorAttestationResponse
  const credentialId = toBase64Url(new Uint8Array(credential.rawId))
  const secret = prfOf(credential)
  if (secret) return walletOf(credential, secret, new Uint8Array(response.getAuthenticatorData()), isAdded)
  if (credential.getClientExtensionResults().prf?.enabled === false) throw new PasskeyError('no_prf')
  return unlockPasskey(rpId, { credentialId })
}

/** Asks the same passkey again. If the two secrets differ, nothing may be sent to its wallet. */
export async function confirmPasskey(rpId: string, wallet: PasskeyWallet): Promise<boolean> {
  const again = await unlockPasskey(rpId, { credentialId: wallet.credentialId })
  return again.copy.id === wallet.copy.id
}

const BACKUP_ELIGIBLE = 0x08
const BACKED_UP = 0x10

/**
 * Whether a passkey may be backed up (BE) and is (BS), by the flags of authenticator data, which follow the 32 bytes of
 * the RP id's hash (WebAuthn 6.1). One that only could be is as lost with its device as one that can't.
 */
export function isBackedUp(authenticatorData: Uint8Array): boolean {
  const both = BACKUP_ELIGIBLE | BACKED_UP
  return ((authenticatorData[32] ?? 0) & both) === both
}

async function ask(request: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- a page without https has no credentials
  if (typeof PublicKeyCredential === 'undefined' || !navigator.credentials) throw new PasskeyError('unavailable')
  try {
    const credential = await request()
    if (credential) return credential as PublicKeyCredential
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : ''
    if (name === 'InvalidStateError') throw new PasskeyError('exists', cause)
    throw new PasskeyError(name === 'SecurityError' || name === 'NotSupportedError' ? 'unavailable' : 'declined', cause)
  }
  throw new PasskeyError('declined')
}

function prfOf(credential: PublicKeyCredential): Uint8Array | null {
  const first = credential.getClientExtensionResults().prf?.results?.first
  if (!first) return null
  return first instanceof ArrayBuffer
    ? new Uint8Array(first)
    : new Uint8Array(first.buffer, first.byteOffset, first.byteLength)
}

async function walletOf(
  credential: PublicKeyCredential,
  secret: Uint8Array,
  authenticatorData: Uint8Array,
  isAdded: boolean | null,
): Promise<PasskeyWallet> {
  const key = await deriveKey(secret)
  // Derived twice: a key that faulty memory or a bad implementation corrupted would make the items unreachable.
  if ((await deriveKey(secret)) !== key) throw new PasskeyError('unavailable')
  return {
    key,
    address: privateKeyToAddress(key),
    credentialId: toBase64Url(new Uint8Array(credential.rawId)),
    backedUp: isBackedUp(authenticatorData),
    isAdded,
    copy: await deriveCopySecrets(secret),
  }
}
