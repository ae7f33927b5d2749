import { hkdfSync } from 'node:crypto'
import { keccak256, numberToHex, type Address, type Hex } from 'viem'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { voucherTypedData } from '../../core/contracts/vouchers.ts'
import type { Keyring } from './keys.ts'

/** The group order of secp256k1: private keys are below it. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** How many derived signers are cached. */
const MAX_CACHED_SIGNERS = 1000

/** Keys from the settings. The voucher key itself never signs: each collection's signer is derived from it (HKDF-SHA256). */
export function envKeyring(operatorKeys: readonly string[], voucherKey: Uint8Array): Keyring {
  const operators = new Map<string, PrivateKeyAccount>()
  for (const key of operatorKeys) {
    const account = accountOf(key)
    operators.set(account.address, account)
  }
  const signers = new Map<string, PrivateKeyAccount>()

  const signerOf = (collectionId: string): PrivateKeyAccount => {
    const known = signers.get(collectionId)
    if (known) return known
    const made = privateKeyToAccount(voucherSignerKey(voucherKey, collectionId))
    if (signers.size >= MAX_CACHED_SIGNERS) signers.clear()
    signers.set(collectionId, made)
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
    voucherSigner: (collectionId) => signerOf(collectionId).address,
    signVoucher: (collectionId, chainId, contract, voucher) =>
      signerOf(collectionId).signTypedData(voucherTypedData(chainId, contract, voucher)),
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
