import { createPublicClient, createWalletClient, http, type Address, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { encodeMintWithVoucher } from '../../lib/core/contracts/vouchers.ts'
import { solveProof } from '../../lib/core/solve-proof.ts'
import { makeItems } from './gifts.ts'
import { type Answer, type Api, apiOf, type Sandbox, until } from './sandbox.ts'

/** The second of the local chain's own accounts, which has coins. */
const BUYER = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const PAYOUT = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

/**
 * Listings of each kind, and purchases of them in every state: paid, delivered, refunded, disputed, open, with vouchers
 * open and used, given up.
 */
export async function sell(api: Api, sandbox: Sandbox, collectionId: string, editionsId: string): Promise<void> {
  await api.patch(`/v1/organizations/${sandbox.organization_id}`, { payout_address: PAYOUT })
  const [card, coin, free, freeMint, gift, draft, paused, cancelled, later] = await makeItems(
    api,
    editionsId,
    ['card', 'coin', 'free', 'free mint', 'gift', 'draft', 'paused', 'cancelled', 'later'],
    1_000,
  )
  await makeItems(api, collectionId, ['pool one', 'pool two', 'pool three'])
  const list = async (more: object): Promise<string> =>
    (
      await api.post('/v1/listings', {
        quantity_listed: 50,
        max_quantity_per_tx: 5,
        price: 1500,
        currency: 'EUR',
        payment_providers: ['CARD_PROVIDER'],
        ...more,
      })
    ).id
  const FREE = { price: 0, currency: 'ETH' }
  const byCard = await list({ item_id: card, policy: { max_per_user: 20 } })
  const byCoin = await list({
    item_id: coin,
    price: '1000000000000000',
    currency: 'ETH',
    payment_providers: ['MINT_VOUCHER'],
  })
  const byMail = await list({ item_id: free, ...FREE, payment_providers: ['EMAIL_CLAIM'] })
  const byMint = await list({ item_id: freeMint, ...FREE, payment_providers: ['BETA_FREE_MINT'] })
  const toListed = await list({
    item_id: gift,
    ...FREE,
    payment_providers: ['ORGANIZATION'],
    policy: {
      type: 'ALLOW_LIST',
      eth_addresses: [BUYER.address],
      email_addresses: [`listed-${sandbox.mark}@buyers.example`],
    },
  })
  const ofPool = await list({
    collection_id: collectionId,
    quantity_listed: 2,
    max_quantity_per_tx: 1,
    policy: { item_assignment_strategy: 'RANDOM' },
  })
  await list({ item_id: draft, status: 'DRAFT' })
  await list({ item_id: later, start_time: new Date(Date.now() + 30 * 86_400_000) })
  await api.patch(`/v1/listings/${await list({ item_id: paused })}`, { status: 'PAUSED' })
  await api.delete(`/v1/listings/${await list({ item_id: cancelled })}`)

  const { id: snapshotId } = await api.post('/v1/snapshots', {
    name: 'Holders',
    collection_id: collectionId,
    timestamp: new Date(),
  })
  await until(
    'A snapshot',
    () => api.get(`/v1/snapshots/${snapshotId}`),
    ({ status }) => status === 'READY',
  )

  const anyone = apiOf(sandbox.origin)
  const buy = async (listing_id: string, buyer: object, more: object = {}): Promise<Answer> => {
    const { required, challenge, difficulty } = await anyone.get(`/public/v1/listings/${listing_id}/challenge`)
    const proof = required ? { proof: await solveProof(challenge, difficulty) } : {}
    return anyone.post(
      '/public/v1/purchase-intents',
      { listing_id, buyer, ...proof, ...more },
      { 'idempotency-key': crypto.randomUUID() },
    )
  }
  const pay = async ({ data }: Answer, card: string): Promise<void> => {
    const id = data.client_secret.split('_secret_')[0]
    const form = {
      client_secret: data.client_secret,
      key: data.publishable_key,
      payment_method: card,
      return_url: sandbox.origin,
    }
    const body = new URLSearchParams(form)
    await fetch(`${sandbox.origin}/sandbox/cards/v1/payment_intents/${id}/confirm`, { method: 'POST', body })
  }
  const settled = (id: string, status: string) =>
    until(
      `A purchase to be ${status}`,
      () => api.get(`/v1/purchase-intents/${id}`),
      (purchase) =>
        purchase.status === status &&
        (status !== 'CONFIRMED' || ['COMPLETED', 'ASSIGNED'].includes(purchase.fulfillment_status)),
    )

  const paid = [
    await buy(byCard, { email: 'Plus.Sign+one@gmail.com' }, { quantity: 2 }),
    await buy(byCard, { eth_address: BUYER.address, email: 'receipt@buyers.example' }),
    await buy(ofPool, { eth_address: BUYER.address }),
    await buy(byCard, { email: 'refunded@buyers.example' }),
    await buy(byCard, { email: 'disputed@buyers.example' }),
  ]
  for (const [at, purchase] of paid.entries()) await pay(purchase, at === 4 ? 'pm_card_createDispute' : 'pm_card_visa')
  for (const { id } of paid.slice(0, 4)) await settled(id, 'CONFIRMED')
  await api.post(`/v1/purchase-intents/${paid[3].id}/refund`, {})
  await settled(paid[3].id, 'REFUNDED')
  await pay(await buy(byCard, { email: 'declined@buyers.example' }), 'pm_card_chargeDeclined')
  await buy(ofPool, { email: 'open@buyers.example' })
  const givenUp = await buy(byCard, { email: 'gave.up@buyers.example' })
  await anyone.delete(`/public/v1/purchase-intents/${givenUp.id}?secret=${givenUp.secret}`)

  await buy(byMail, { email: 'free@buyers.example' })
  const free2 = await buy(byMint, { eth_address: BUYER.address })
  const listed = await buy(toListed, { eth_address: BUYER.address })
  for (const { id } of [free2, listed]) await settled(id, 'CONFIRMED')
  const sent = await buy(byCoin, { eth_address: BUYER.address }, { quantity: 2 })
  await sendVoucher(sandbox, sent.data)
  await settled(sent.id, 'CONFIRMED')
  await buy(byCoin, { eth_address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' })
}

/** Sends a voucher from its wire form, as a wallet does. */
export async function sendVoucher(
  { rpc_url }: Sandbox,
  { voucher, signature, contract, minter }: Answer,
): Promise<void> {
  const terms = {
    minter,
    netRecipient: voucher.net_recipient,
    initialRecipient: voucher.initial_recipient,
    initialRecipientAmount: BigInt(voucher.initial_recipient_amount),
    quantity: BigInt(voucher.quantity),
    nonce: BigInt(voucher.nonce),
    expiry: BigInt(voucher.expiry),
    price: BigInt(voucher.price),
    tokenId: BigInt(voucher.token_id),
    currency: voucher.currency,
  }
  const transport = http(rpc_url)
  const hash = await createWalletClient({ account: BUYER, chain: foundry, transport }).sendTransaction({
    to: contract as Address,
    data: encodeMintWithVoucher(terms, signature as Hex),
    value: terms.price * terms.quantity,
    gas: 400_000n,
  })
  const client = createPublicClient({ chain: foundry, transport })
  await until(
    `The receipt of ${hash}`,
    () => client.getTransactionReceipt({ hash }).catch(() => null),
    (receipt) => receipt !== null,
  )
}
