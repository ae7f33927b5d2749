import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, int32 } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'

export const mintVoucher = z
  .object({
    contract: address,
    minter: address.describe('Receives the token, whoever sends the voucher.'),
    network_id: z.int(),
    signature: z
      .string()
      .describe('The EIP-712 signature of the voucher: domain Vitrine, version 1, the network and the contract.'),
    voucher: z.object({
      currency: address.describe('The zero address is the network’s own coin.'),
      expiry: z.int().describe('Unix seconds. The voucher works up to and including this second.'),
      initial_recipient: address,
      initial_recipient_amount: z.string(),
      net_recipient: address,
      nonce: z.int(),
      price: z.string().describe('Of one unit, in the currency’s smallest unit.'),
      quantity: z.int(),
      token_id: z.string(),
      token_uri: z.string().nullable(),
    }),
  })
  .meta({ id: 'MintVoucher' })

export const listMintVouchers = endpoint({
  id: 'P13',
  method: 'GET',
  path: '/public/v1/mint-vouchers/{eth_address}',
  area: 'Mint vouchers',
  auth: 'anonymous',
  summary: 'List an address’s pending mint vouchers',
  description: 'Mint vouchers that were neither redeemed nor cancelled and have not expired.',
  params: z.object({ eth_address: address }),
  query: pageQuery(1000).extend({ contract_address: address.nullish(), network_id: int32.nullish() }),
  shortNames: { contract: 'contract_address' },
  response: pageOf(mintVoucher),
})
