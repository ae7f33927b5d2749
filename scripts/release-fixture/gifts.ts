import { type Api, apiOf, pinFor, type Sandbox, until } from './sandbox.ts'

const RECIPIENT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** Locked items of a collection that is deployed. */
export async function makeItems(
  api: Api,
  collectionId: string,
  titles: string[],
  maxSupply?: number,
): Promise<string[]> {
  const items = titles.map((title) => ({ collection_id: collectionId, attributes: { title, series: 'Fixture' } }))
  const { item_ids } = await api.post('/v1/items/bulk', { items })
  await api.post('/v1/items/lock', { item_ids, ...(maxSupply && { max_supply: maxSupply }) })
  return item_ids as string[]
}

export async function makeCollection(
  api: Api,
  sandbox: Sandbox,
  name: string,
  more: object = {},
  variant = 'ERC721',
): Promise<string> {
  const platform = { symbol: 'FIX', variant }
  const { id } = await api.post('/v1/collections', {
    name: `${name} ${sandbox.mark}`,
    editable_metadata: true,
    deployment_request: { network_id: sandbox.chain_id, platform },
    ...more,
  })
  const deployment = () => api.get(`/v1/collections/${id}/deployment-request`)
  await until(`The deployment of ${name}`, deployment, ({ status }) => status === 'SUCCESS')
  return id
}

export type Gifts = {
  /** Links of claims by state. `pinned`: its PIN was mailed and not used. */
  links: Record<'open' | 'pinned' | 'wrong' | 'expired' | 'revoked' | 'delivered' | 'voucher', string>
  pin: string
  /** With signed vouchers of claims whose recipients pay themselves, as they are on the wire. */
  vouchers: unknown[]
}

/**
 * Email claims in every state: open, asked for a PIN, tried with a wrong one, delivered, with a voucher, expired,
 * revoked and cancelled on chain.
 */
export async function giveGifts(api: Api, sandbox: Sandbox, collectionId: string, campaignId: string): Promise<Gifts> {
  const { origin } = sandbox
  const anyone = apiOf(origin)
  const kinds = ['open', 'pinned', 'wrong', 'expired', 'revoked', 'delivered', 'voucher', 'sent', 'cancelled'] as const
  const paidByRecipient = new Set<string>(['voucher', 'sent', 'cancelled'])
  const itemIds = await makeItems(api, collectionId, [...kinds])
  const claims = {} as Record<(typeof kinds)[number], { id: string; email: string; claim_url: string; token: string }>
  for (const [at, kind] of kinds.entries()) {
    const email = `${kind}-${sandbox.mark}@recipients.example`
    const { id, claim_url } = await api.post(
      '/v1/email-claims',
      {
        email,
        item_id: itemIds[at],
        ...(kind === 'expired' && { expiration: new Date(Date.now() + 5_000) }),
        ...(paidByRecipient.has(kind) && { tx_payer: 'BUYER' }),
        ...(kind === 'open' && { campaign_id: campaignId }),
      },
      { 'idempotency-key': `claim-${kind}-${sandbox.mark}` },
    )
    claims[kind] = { id, email, claim_url, token: claim_url.split('/').at(-1) }
  }
  const at = (kind: keyof typeof claims) => `/public/v1/email-claims/${claims[kind].token}`
  const pins = {} as Record<string, string>
  for (const kind of ['pinned', 'wrong', 'delivered', 'voucher', 'sent', 'cancelled'] as const) {
    await anyone.post(`${at(kind)}/opened`).catch(() => undefined) // later releases want the page's own mark
    await anyone.post(`${at(kind)}/verify`)
    pins[kind] = await pinFor(origin, claims[kind].email)
  }
  const other = pins.wrong === '000000' ? '000001' : '000000'
  for (const kind of ['wrong', 'pinned'] as const)
    await anyone
      .post(`${at(kind)}/redeem`, { address: RECIPIENT, pin: pins[kind] === other ? '000002' : other })
      .catch(() => undefined)
  await anyone.post(`${at('delivered')}/redeem`, { address: RECIPIENT, pin: pins.delivered })
  const vouchers: unknown[] = []
  for (const kind of ['cancelled', 'voucher', 'sent'] as const)
    vouchers.push((await anyone.post(`${at(kind)}/redeem`, { address: RECIPIENT, pin: pins[kind] })).voucher)
  for (const kind of ['revoked', 'cancelled'] as const) await api.delete(`/v1/email-claims/${claims[kind].id}`)
  await api.post(`/v1/email-claims/${claims.open.id}/resend`, {})
  await until(
    'A delivery',
    () => api.get(`/v1/email-claims/${claims.delivered.id}`),
    ({ delivered_at }) => delivered_at,
  )
  await until(
    'A cancellation',
    () => api.get(`/v1/email-claims/${claims.cancelled.id}`),
    ({ inactive_reason }) => inactive_reason === 'REVOKED',
  )
  await until(
    'An expiry',
    () => api.get(`/v1/email-claims/${claims.expired.id}`),
    ({ inactive_reason }) => inactive_reason === 'EXPIRED',
  )
  const links = Object.fromEntries(
    Object.entries(claims).map(([kind, { claim_url }]) => [kind, claim_url]),
  ) as Gifts['links']
  return { links, pin: pins.pinned!, vouchers }
}
