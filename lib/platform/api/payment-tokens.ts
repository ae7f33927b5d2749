import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, many, uint } from '../../core/wire.ts'
import { endpoint } from './endpoint.ts'

export const paymentToken = z
  .object({
    address: address.describe('The zero address is the network’s own coin.'),
    decimals: z.int(),
    name: z.string(),
    network_id: z.int(),
    symbol: z.string(),
  })
  .meta({ id: 'PaymentToken' })

export const listPaymentTokens = endpoint({
  id: 'P16',
  method: 'GET',
  path: '/public/v1/payment-tokens',
  area: 'Networks',
  auth: 'none',
  summary: 'List the payment tokens of networks',
  description:
    'What crypto listings can be priced in. Ordered by network and address, ' +
    'the highest first unless `order_direction` is ASC.',
  query: pageQuery().extend({
    network_id: many(uint).refine((given) => given.length > 0, 'At least one network is needed.'),
  }),
  response: pageOf(paymentToken),
})
