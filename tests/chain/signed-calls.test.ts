import { encodeFunctionData, hexToBool, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { vitrine1155Abi, vitrine721Abi } from '../../lib/core/contracts/abi.ts'
import { encodeAdminMint1155, encodeAdminMint721, encodeTransfer1155 } from '../../lib/core/contracts/calls.ts'
import {
  encodeAsksForSignedTransfers,
  encodeTransferNonceUsed,
  encodeTransferWithSignature,
  type SignedTransfer,
  signedTransferTypedData,
} from '../../lib/core/contracts/signed-transfers.ts'
import { decodeTokenLog } from '../../lib/core/contracts/token-logs.ts'
import {
  decodeMintWithVoucher,
  encodeCancelVoucher,
  encodeMintWithVoucher,
  voucherValue,
  type MintVoucher,
} from '../../lib/core/contracts/vouchers.ts'
import {
  buyer,
  chain,
  compact,
  contractsStage,
  create,
  operator,
  organization,
  read,
  refusal,
  send,
  sign,
  voucherOf,
} from '../support/contracts-stage.ts'

contractsStage()

test.each(['65 bytes', '64 bytes'])(
  'a voucher with a signature of %s mints to its minter once, whoever sends it',
  async (form) => {
    const { contract } = await create({})
    const voucher = voucherOf({ minter: organization.address, tokenId: 7n })
    const signature = form === '64 bytes' ? compact(await sign(contract, voucher)) : await sign(contract, voucher)
    const data = encodeMintWithVoucher(voucher, signature)
    expect(decodeMintWithVoucher(data)).toEqual({ voucher, signature })
    const receipt = await send(buyer, contract, data)
    expect(receipt.logs.map((log) => decodeTokenLog(log))).toEqual([
      {
        type: 'MOVED',
        moves: [
          { kind: 'MINT', tokenId: 7n, from: zeroAddress, to: organization.address, quantity: 1n, operator: null },
        ],
      },
    ])
    expect(await refusal(buyer.address, contract, data)).toBe('This token was minted before.')
  },
)

test('a voucher with a price requires exactly that price, and the contract keeps nothing', async () => {
  const { contract } = await create({})
  const net = privateKeyToAccount(generatePrivateKey()).address
  const fee = privateKeyToAccount(generatePrivateKey()).address
  const voucher = voucherOf({ price: 1_000n, netRecipient: net, initialRecipient: fee, initialRecipientAmount: 25n })
  const data = encodeMintWithVoucher(voucher, await sign(contract, voucher))
  expect(await refusal(buyer.address, contract, data)).toBe('The payment must be exactly the voucher’s price.')
  expect(await refusal(buyer.address, contract, data, 1_001n)).toBe('The payment must be exactly the voucher’s price.')
  await send(buyer, contract, data, voucherValue(voucher))
  expect(await chain().getBalance({ address: net })).toBe(975n)
  expect(await chain().getBalance({ address: fee })).toBe(25n)
  expect(await chain().getBalance({ address: contract })).toBe(0n)
})

test('a changed, expired or cancelled voucher, or one of another contract, is refused with the reason', async () => {
  const { contract } = await create({})
  const { contract: other } = await create({})
  const voucher = voucherOf({ tokenId: 3n, nonce: 4n })
  const signature = await sign(contract, voucher)
  const refused = (changed: Partial<MintVoucher>, at = contract) =>
    refusal(buyer.address, at, encodeMintWithVoucher({ ...voucher, ...changed }, signature))
  expect(await refused({ minter: operator.address })).toBe(
    'The voucher isn’t signed by a key that may sign for this collection.',
  )
  expect(await refused({}, other)).toBe('The voucher isn’t signed by a key that may sign for this collection.')
  expect(await refused({ expiry: 1n })).toBe('This voucher has expired.')
  expect(await refused({ quantity: 2n })).toBe('A voucher for a unique item has quantity 1.')

  const cancel = encodeCancelVoucher(voucher, signature)
  expect(await refusal(organization.address, contract, encodeCancelVoucher({ ...voucher, nonce: 5n }, signature))).toBe(
    'The voucher isn’t signed by a key that may sign for this collection.',
  )
  const receipt = await send(operator, contract, cancel)
  expect(decodeTokenLog(receipt.logs[0]!)).toEqual({ type: 'VOUCHER_CANCELLED', tokenId: 3n, nonce: 4n })
  expect(await refused({})).toBe('This voucher was cancelled.')
  await send(operator, contract, encodeAdminMint721([{ to: buyer.address, tokenId: 3n }]))
  expect(await read(contract, vitrine721Abi, 'ownerOf', [3n])).toBe(buyer.address)
})

test('the minter of a voucher can cancel it, another account that knows it cannot', async () => {
  const { contract } = await create({})
  const voucher = voucherOf({ minter: buyer.address })
  const cancel = encodeCancelVoucher(voucher, await sign(contract, voucher))
  const outsider = privateKeyToAccount(generatePrivateKey()).address
  expect(await refusal(outsider, contract, cancel)).toBe('The sender isn’t allowed to do that on this contract.')
  await send(buyer, contract, cancel)
})

test.each(['ERC721', 'ERC1155'] as const)(
  'a transfer of %s that its holder signed is made once, whoever sends it',
  async (tokenType) => {
    const { contract } = await create({ tokenType })
    const quantity = tokenType === 'ERC721' ? 1n : 3n
    const to = organization.address
    await send(
      operator,
      contract,
      tokenType === 'ERC721'
        ? encodeAdminMint721([{ to: buyer.address, tokenId: 7n }])
        : encodeAdminMint1155([{ to: buyer.address, tokenId: 7n, amount: 5n, requestId: 1n }]),
    )
    const transfer = { tokenId: 7n, quantity, from: buyer.address, to, nonce: 2n ** 200n, deadline: 4_102_444_800n }
    const signature = await buyer.signTypedData(signedTransferTypedData(tokenType, 31337, contract, transfer))
    const data = encodeTransferWithSignature(tokenType, transfer, signature)
    const isUsed = async () => {
      const used = await chain().call({ to: contract, data: encodeTransferNonceUsed(buyer.address, transfer.nonce) })
      return hexToBool(used.data!, { size: 32 })
    }
    expect(await isUsed()).toBe(false)
    const receipt = await send(operator, contract, data)
    const operatorOfLog = tokenType === 'ERC721' ? null : buyer.address
    expect(receipt.logs.map((log) => decodeTokenLog(log))).toEqual([
      { type: 'TRANSFER_NONCE_USED', from: buyer.address, nonce: transfer.nonce, tokenId: 7n },
      {
        type: 'MOVED',
        moves: [{ kind: 'TRANSFER', tokenId: 7n, from: buyer.address, to, quantity, operator: operatorOfLog }],
      },
    ])
    expect(await isUsed()).toBe(true)
    const refused = (changed: Partial<SignedTransfer>) =>
      refusal(
        organization.address,
        contract,
        encodeTransferWithSignature(tokenType, { ...transfer, ...changed }, signature),
      )
    expect(await refused({})).toBe('A transfer with this number was made or cancelled before.')
    expect(await refused({ nonce: 1n })).toBe('The transfer isn’t signed by the account that it moves the token from.')
    expect(await refused({ nonce: 1n, deadline: 1n })).toBe('The deadline of this transfer has passed.')
    const asked = await chain().call({ to: contract, data: encodeAsksForSignedTransfers(tokenType) })
    expect(hexToBool(asked.data!, { size: 32 })).toBe(true)
    const cancelled = await send(
      buyer,
      contract,
      encodeFunctionData({ abi: vitrine721Abi, functionName: 'cancelTransferNonce', args: [1n] }),
    )
    expect(cancelled.logs.map((log) => decodeTokenLog(log))).toEqual([
      { type: 'TRANSFER_NONCE_CANCELLED', from: buyer.address, nonce: 1n },
    ])
  },
)

test('ERC-1155: the log with a voucher’s nonce comes right before its mint’s', async () => {
  const { contract } = await create({ tokenType: 'ERC1155' })
  const voucher = voucherOf({ quantity: 4n, nonce: 77n, tokenId: 2n, minter: organization.address })
  const data = encodeMintWithVoucher(voucher, await sign(contract, voucher))
  const receipt = await send(buyer, contract, data)
  expect(receipt.logs.map((log) => decodeTokenLog(log))).toEqual([
    { type: 'VOUCHER_REDEEMED', nonce: 77n },
    {
      type: 'MOVED',
      moves: [
        {
          kind: 'MINT',
          tokenId: 2n,
          from: zeroAddress,
          to: organization.address,
          quantity: 4n,
          operator: buyer.address,
        },
      ],
    },
  ])
  expect(await refusal(buyer.address, contract, data)).toBe('This voucher was used or cancelled before.')
  await send(organization, contract, encodeTransfer1155(organization.address, buyer.address, 2n, 3n))
  expect(await read(contract, vitrine1155Abi, 'balanceOf', [buyer.address, 2n])).toBe(3n)
})
