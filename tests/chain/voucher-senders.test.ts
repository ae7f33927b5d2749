import {
  createWalletClient,
  type Hex,
  http,
  parseEther,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect, test } from 'vitest'
import { encodeMintWithVoucher, voucherTypedData } from '../../lib/core/contracts/vouchers.ts'
import { findOurSender } from '../../lib/onchain/mints/find-our-sender.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { startChain } from '../support/chain.ts'
import { makeOrganization } from '../support/organization.ts'
import { receiptOf } from '../support/receipt-of.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { makeTerms } from '../support/voucher-terms.ts'

test('a transaction with a voucher of ours is told by its signature, of either parity and length', async () => {
  const local = await startChain()
  const { contract, collectionId } = await makeOnChainCollection(await makeOrganization(), local)
  const [signer, buyer] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
  await local.node.setBalance({ address: buyer.address, value: parseEther('1') })
  const wallet = createWalletClient({ account: buyer, chain: foundry, transport: http(local.rpcUrl) })
  const senderOf = async (nonce: bigint, form: (signature: Hex) => Hex) => {
    const { voucher, signature } = await sign(nonce)
    // The contract refuses it: what matters is what was sent.
    const hash = await wallet.sendTransaction({
      to: contract,
      data: encodeMintWithVoucher(voucher, form(signature)),
      gas: 400_000n,
    })
    await receiptOf(local.client, hash)
    const tokens = { id: collectionId, contractAddress: contract, signer: signer.address }
    return findOurSender(systemContext('test'), local.chain, tokens, hash)
  }
  const sign = async (nonce: bigint) => {
    const voucher = makeTerms({ minter: buyer.address, nonce })
    return { voucher, signature: await signer.signTypedData(voucherTypedData(31337, contract, voucher)) }
  }
  for (const parity of [0, 1]) {
    let nonce = 1n
    while (parseSignature((await sign(nonce)).signature).yParity !== parity) nonce++
    expect(await senderOf(nonce, (signature) => signature)).toBe('voucher')
    expect(
      await senderOf(nonce, (signature) =>
        serializeCompactSignature(signatureToCompactSignature(parseSignature(signature))),
      ),
    ).toBe('voucher')
    expect(await senderOf(nonce, (signature) => `${signature}00`)).toBe(null)
  }
})
