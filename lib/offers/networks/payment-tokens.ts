import { type Address, getAddress, isAddress, zeroAddress } from 'viem'
import type { z } from 'zod'
import type { paymentToken } from '../../platform/api/payment-tokens.ts'
import type { Context } from '../../platform/auth/context.ts'
import { env } from '../../core/env.ts'
import type { Page, PageQuery } from '../../core/page.ts'
import { paginate } from '../../core/paginate.ts'
import { networksOf } from '../../ports/ports.ts'

export type PaymentToken = z.output<typeof paymentToken> & { address: Address }

/** The currencies of a network: its native coin and the tokens of PAYMENT_TOKENS. */
export function paymentTokensOf(ctx: Pick<Context, 'ports'>, networkId: number): PaymentToken[] {
  const network = ctx.ports.chains.get(networkId)?.network
  if (!network) return []
  const { symbol, decimals, name } = network.currency
  const coin = { address: zeroAddress, decimals, name, network_id: networkId, symbol }
  return [coin, ...readTokens(env.PAYMENT_TOKENS).filter((token) => token.network_id === networkId)]
}

/** Finds a payment token by symbol (in any case) or address. */
export function findPaymentToken(
  ctx: Pick<Context, 'ports'>,
  networkId: number,
  currency: string,
): PaymentToken | undefined {
  const wanted = currency.toLowerCase()
  return paymentTokensOf(ctx, networkId).find(
    ({ address, symbol }) => address.toLowerCase() === wanted || symbol.toLowerCase() === wanted,
  )
}

/** Parses PAYMENT_TOKENS: `31337=<address>:<symbol>:<decimals>:<name>,…;137=…`. Throws when it is malformed. */
export function readTokens(setting: string): PaymentToken[] {
  const networks = setting
    .split(';')
    .map((entry) => entry.trim())
    .filter(Boolean)
  return networks.flatMap((entry) => {
    const at = entry.indexOf('=')
    const networkId = Number(entry.slice(0, at))
    if (at < 1 || !Number.isSafeInteger(networkId))
      throw new Error('PAYMENT_TOKENS: "<network id>=<address>:<symbol>:<decimals>:<name>,…" is expected.')
    return entry
      .slice(at + 1)
      .split(',')
      .map((token) => readToken(networkId, token.trim()))
  })
}

function readToken(networkId: number, token: string): PaymentToken {
  const [address = '', symbol = '', decimals = '', ...name] = token.split(':')
  if (!isAddress(address, { strict: false }) || !symbol || !/^\d{1,2}$/.test(decimals))
    throw new Error(`PAYMENT_TOKENS: network ${networkId} has something that is no token.`)
  return {
    address: getAddress(address),
    decimals: Number(decimals),
    name: name.join(':') || symbol,
    network_id: networkId,
    symbol,
  }
}

/** The payment tokens of several networks, ordered by network and address. */
export function listPaymentTokens(
  ctx: Pick<Context, 'ports'>,
  query: PageQuery & { network_id: bigint[] },
): Promise<Page<PaymentToken>> {
  const wanted = networksOf(ctx.ports).filter(({ id }) => query.network_id.includes(BigInt(id)))
  const all = wanted.flatMap(({ id }) => paymentTokensOf(ctx, id)).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return paginate(query, {
    list: ['payment_tokens', null],
    key: keyOf,
    find: async ({ after, direction, take }) => {
      const ordered = direction === 'asc' ? all : all.toReversed()
      const isAfter = (key: string) => after === undefined || (direction === 'asc' ? key > after : key < after)
      return ordered.filter((token) => isAfter(keyOf(token))).slice(0, take)
    },
    count: async () => all.length,
    show: (token) => token,
  })
}

const keyOf = ({ network_id, address }: PaymentToken): string =>
  `${String(network_id).padStart(15, '0')}:${address.toLowerCase()}`
