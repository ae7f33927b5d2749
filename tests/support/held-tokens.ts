import { createWalletClient, type Address, type Hex, http, parseEther, parseGwei } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect } from 'vitest'
import {
  encodeTransferWithSignature,
  signedTransferTypedData,
  type SignedTransfer,
} from '../../lib/core/contracts/signed-transfers.ts'
import { now } from '../../lib/core/clock.ts'
import { callerOf } from './call.ts'
import { makeRandomAddress } from './claims.ts'
import { catchUp, organization, testChain } from './custody.ts'
import type { TestOrganization } from './organization.ts'
import { makeOnChainCollection } from './sending.ts'

// Tokens that holders have and send, on the chain of `setUpCustody`.

export const anyone = callerOf()
let lastNonce = 0n
export const newHolder = () => privateKeyToAccount(generatePrivateKey())
export const secondsAhead = (seconds: number) => BigInt(Math.floor(now().getTime() / 1000) + seconds)

type Made = Awaited<ReturnType<typeof makeHeld>>

/** Tokens that a holder has. */
export async function makeHeld({
  items = 1,
  variant = 'ERC721' as 'ERC721' | 'ERC1155',
  platform = {} as object,
  of = organization as TestOrganization,
  /** The holder's address, where it isn't that of a key. */
  to = null as Address | null,
} = {}) {
  const holder = newHolder()
  const made = await makeOnChainCollection(of, testChain, {
    items,
    variant,
    platform,
    ...(variant === 'ERC1155' && { max_supply: 10 }),
  })
  const { status, body } = await made.api.post('/v1/mint-requests', {
    item_ids: made.itemIds,
    to_address: to ?? holder.address,
    ...(variant === 'ERC1155' && { quantity: 5 }),
  })
  expect(status, JSON.stringify(body)).toBe(201)
  await made.sender.run()
  await catchUp()
  return { ...made, holder, variant }
}

export async function signedBody(
  { collectionId, contract, holder, variant }: Pick<Made, 'collectionId' | 'contract' | 'holder' | 'variant'>,
  order: Partial<SignedTransfer> = {},
  signer: PrivateKeyAccount = holder,
  chainId = 31337,
) {
  const transfer: SignedTransfer = {
    tokenId: 1n,
    quantity: 1n,
    from: holder.address,
    to: makeRandomAddress(),
    nonce: ++lastNonce,
    deadline: secondsAhead(600),
    ...order,
  }
  const signature = await signer.signTypedData(signedTransferTypedData(variant, chainId, contract, transfer) as never)
  const body = {
    collection_id: collectionId,
    token_id: String(transfer.tokenId),
    ...(variant === 'ERC1155' && { quantity: Number(transfer.quantity) }),
    from_address: transfer.from,
    to_address: transfer.to,
    nonce: String(transfer.nonce),
    deadline: Number(transfer.deadline),
    signature,
  }
  return { body, to: transfer.to, data: encodeTransferWithSignature(variant, transfer, signature) }
}

export const postTransfer = (body: object) => anyone.post('/public/v1/transfers', body)
export const getTransfer = async (id: string) => (await anyone.get(`/public/v1/transfers/${id}`)).body

export async function accepted(body: object) {
  const answer = await postTransfer(body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}

/** Another relayer sends the same call. */
export async function relayElsewhere(contract: Address, data: Hex, maxPriorityFeePerGas = parseGwei('1')) {
  const account = newHolder()
  await testChain.node.setBalance({ address: account.address, value: parseEther('1') })
  const wallet = createWalletClient({ account, chain: foundry, transport: http(testChain.rpcUrl) })
  const fees = { maxPriorityFeePerGas, maxFeePerGas: maxPriorityFeePerGas + parseGwei('10') }
  return wallet.sendTransaction({ to: contract, data, gas: 300_000n, ...fees })
}
