import { hkdfSync } from 'node:crypto'
import { keccak256, numberToHex, type Address, type Hex } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { voucherDomain, voucherHash } from '../../core/contracts/vouchers.ts'
import type { Keyring } from './keys.ts'

/** The group order of secp256k1: private keys are below it. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** How many derived signers, and how many contracts' domains, are cached. */
const MAX_CACHED = 1000

/**
 * Keys from the settings. A voucher key itself never signs: each collection's signer is derived from it (HKDF-SHA256).
 * Several, the newest first, may be given as a function, which is called when the first signer is needed.
 */
export function envKeyring(
  operatorKeys: readonly string[],
  voucherKeys: Uint8Array | (() => readonly Uint8Array[]),
): Keyring {
  const operators = new Map<string, PrivateKeyAccount>()
  for (const key of operatorKeys) {
    const account = accountOf(key)
    operators.set(account.address, account)
  }
  const cached = new Map<string, readonly PrivateKeyAccount[]>()
  const domains = new Map<string, Hex>()

  const signersOf = (collectionId: string): readonly PrivateKeyAccount[] => {
    const known = cached.get(collectionId)
    if (known) return known
    const keys = typeof voucherKeys === 'function' ? voucherKeys() : [voucherKeys]
    const made = keys.map((key) => privateKeyToAccount(voucherSignerKey(key, collectionId)))
    if (cached.size >= MAX_CACHED) cached.clear()
    cached.set(collectionId, made)
    return made
  }

  const domainOf = (chainId: number, contract: Address): Hex => {
    const name = `${chainId} ${contract}`
    const known = domains.get(name)
    if (known) return known
    const made = voucherDomain(chainId, contract)
    if (domains.size >= MAX_CACHED) domains.clear()
    domains.set(name, made)
    return made
  }

  return {
    operators: [...operators.values()].map((account): Address => account.address),
    async signTransaction(operator, chainId, { nonce, to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas }) {
      const account = operators.get(operator)
      if (!account) throw new Error(`There is no key for the operator ${operator}.`)
      const raw = await account.signTransaction({
        type: 'eip1559',
        chainId,
        nonce,
        to,
        data,
        value: value ?? 0n,
        gas,
        maxFeePerGas,
        maxPriorityFeePerGas,
      })
      return { raw, hash: keccak256(raw) }
    },
    voucherSigner: (collectionId) => signersOf(collectionId)[0]!.address,
    voucherSigners: (collectionId) => signersOf(collectionId).map(({ address }) => address),
    async signVoucher(collectionId, chainId, contract, voucher, signer) {
      const account = signersOf(collectionId).find(({ address }) => signer === undefined || address === signer)
      if (!account) throw new Error(`There is no voucher key for the signer ${signer}.`)
      return account.sign({ hash: voucherHash(domainOf(chainId, contract), voucher) })
    },
  }
}

function accountOf(key: string): PrivateKeyAccount {
  const hex = key.startsWith('0x') ? key : `0x${key}`
  if (!/^0x[0-9a-fA-F]{64}$/.test(hex)) throw new Error('OPERATOR_KEYS: each key must be 64 hex digits.')
  return privateKeyToAccount(hex as Hex)
}

/** 48 bytes are reduced modulo the group order, so that the bias of the remainder is negligible. */
function voucherSignerKey(voucherKey: Uint8Array, collectionId: string): Hex {
  const bytes = Buffer.from(
    hkdfSync('sha256', voucherKey, Buffer.alloc(0), `vitrine/voucher/v1/${collectionId.toLowerCase()}`, 48),
  )
  return numberToHex((BigInt(`0x${bytes.toString('hex')}`) % (ORDER - 1n)) + 1n, { size: 32 })
}
