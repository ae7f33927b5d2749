import { bytesToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Address, Hex } from 'viem'
import type * as wallets from '@/lib/platform/api/wallets'
import { api, route } from '../shared/api.ts'
import { fromBase64Url, toBase64Url } from '../shared/base64url.ts'
import { type CopySecrets, keyBytes, parseKey } from './derive.ts'
import { createPasskey, PasskeyError, type PasskeyWallet, unlockPasskey } from './passkey.ts'
import { rememberedWallet } from './remembered-wallet.ts'

const saveRoute = route<typeof wallets.saveWalletCopy>('POST', '/public/v1/wallets/{eth_address}/copies')
const listRoute = route<typeof wallets.listWalletCopies>('GET', '/public/v1/wallets/{eth_address}/copies')
const removeRoute = route<typeof wallets.removeWalletCopy>(
  'DELETE',
  '/public/v1/wallets/{eth_address}/copies/{copy_id}',
)
const findRoute = route<typeof wallets.findWalletCopy>('POST', '/public/v1/wallet-copies')

const IV_BYTES = 12
const purpose = new TextEncoder().encode('vitrine/copy/v1')

/** Seals a wallet's key with what only one passkey can derive (AES-256-GCM). */
export async function sealCopy({ key }: CopySecrets, walletKey: Hex): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: purpose }, key, keyBytes(walletKey))
  return toBase64Url(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
}

/** The wallet's key in such a copy. Throws for one that another passkey sealed, or that was altered. */
export async function openCopy({ key }: CopySecrets, copy: string): Promise<Hex> {
  const bytes = fromBase64Url(copy)
  const [iv, sealed] = [bytes.slice(0, IV_BYTES), bytes.slice(IV_BYTES)]
  const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData: purpose }, key, sealed)
  const walletKey = parseKey(bytesToHex(new Uint8Array(opened)))
  if (!walletKey) throw new Error('The copy holds no key.')
  return walletKey
}

/**
 * Opens the wallet of a passkey: the one that is derived from it or, for a passkey that was added later, the one in its
 * copy. Of a copy that can't be read now nothing is derived in its place: that would be another wallet.
 */
export async function openWithPasskey(
  rpId: string,
  how: { credentialId?: string; quietly?: boolean },
): Promise<PasskeyWallet> {
  const wallet = await unlockPasskey(rpId, how)
  if (wallet.isAdded === false) return wallet
  // Not every device says whether it was added.
  if (wallet.isAdded === null && rememberedWallet()?.address === wallet.address) return wallet
  const { sealed } = await api(findRoute, { body: { copy_id: wallet.copy.id } }).catch((cause: unknown) => {
    throw new PasskeyError('unreachable', cause)
  })
  if (sealed === null) {
    if (wallet.isAdded) throw new PasskeyError('unfinished')
    return wallet
  }
  const key = await openCopy(wallet.copy, sealed).catch((cause: unknown) => {
    throw new PasskeyError('unfinished', cause)
  })
  return { ...wallet, key, address: privateKeyToAddress(key), isAdded: true }
}

export type Added = { credentialId: string; copy: CopySecrets }

/**
 * Makes another passkey for a wallet, on a device that has none of `known`, which shows it by its label. It opens the
 * wallet only after `keepCopy`.
 */
export async function makeAnotherPasskey(rpId: string, label: string, known: string[]): Promise<Added> {
  const { credentialId, copy } = await createPasskey(rpId, label, known, true)
  return { credentialId, copy }
}

/** Leaves the wallet's key with the server, sealed by the passkey. `proof`: that the wallet is the visitor's. */
export async function keepCopy(
  { address, key }: { address: Address; key: Hex },
  { copy }: Added,
  proof: string,
): Promise<void> {
  const body = { proof, copy_id: copy.id, sealed: await sealCopy(copy, key) }
  await api(saveRoute, { params: { eth_address: address }, body })
}

/** The passkeys that were added to a wallet, the first one first. */
export const listCopies = async (address: Address, proof: string) =>
  (await api(listRoute, { params: { eth_address: address }, query: { proof } })).results

/** Deletes the copy of a passkey: it opens the wallet no more. `proof`: of the last five minutes. */
export const removeCopy = (address: Address, copyId: string, proof: string) =>
  api(removeRoute, { params: { eth_address: address, copy_id: copyId }, query: { proof } })
