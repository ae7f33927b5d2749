import { randomBytes } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { integrationMail } from '../../lib/ports/mail/integration-mail.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { takeSnapshots } from '../../lib/data/snapshots/take-snapshots.ts'
import { callerOf, type ApiResponse } from './call.ts'
import { enterFakeBlocks, makeItem, makeRandomAddress, sendClaim } from './claims.ts'
import { makeCollection, makeDeployedCollection, makeItems } from './collections.ts'
import { MAILGUN_API_KEY, startMailgunServer } from './mail-servers.ts'
import { makePool } from './listings.ts'
import { makeKey, makeOrganization, type TestOrganization } from './organization.ts'
import { makeRedeemableClaims } from './redeemable-claims.ts'
import { makeSession } from './sessions.ts'
import { buy, connectCards, deliverCardEvents, FREE_PRICE, makeAddressBuyer, makeListing, pay } from './selling.ts'

/** What a good request needs beside plain rows: other ids in its path, a query, a body, another key. */
type Preparation = {
  ids?: Record<string, string>
  query?: Record<string, string>
  body?: object
  key?: string
  /** Of a member who is signed in, in place of a key. */
  session?: string
}

/**
 * Answers calls to the chain's node and to the provider of organizations' mail, for `PREPARATIONS`. Install a fake
 * chain before.
 */
export async function installServices(): Promise<void> {
  const { chains, keys } = ports()
  const mailgun = await startMailgunServer()
  replacePorts({
    keys: { ...keys, operators: [makeRandomAddress()] },
    chains: new Map(
      [...chains].map(([id, chain]) => [
        id,
        {
          ...chain,
          network: { ...chain.network, contracts: CONTRACTS },
          forward: () => Promise.resolve({ result: '0x7a69' }),
          simulate: () => Promise.resolve({ ok: true as const, gas: 90_000n }),
          fees: () => Promise.resolve({ maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }),
        },
      ]),
    ),
    integrationMail: (settings) =>
      integrationMail(settings, { allow: ['127.0.0.1/32', '::1/128'], mailgunBase: mailgun.base }),
  })
}

const CONTRACTS = {
  factory: makeRandomAddress(),
  implementation721: makeRandomAddress(),
  implementation1155: makeRandomAddress(),
}

const made = ({ status, body }: ApiResponse) => {
  if (status >= 300) throw new Error(JSON.stringify(body))
  return body
}

const MAIL = {
  provider: 'MAIL_API',
  config: {
    email_from: 'Night Gallery <drops@gallery.example>',
    domain: 'mg.gallery.example',
    api_key: MAILGUN_API_KEY,
    region: 'EU',
  },
}
const PLATFORM = { network_id: 31337, platform: { symbol: 'NIGHT', variant: 'ERC721', max_supply: 500 } }
const HIDDEN = { reveal_strategy: 'DELAYED', preview_metadata: { title: 'A closed box' } }

async function signInEditor({ id }: TestOrganization): Promise<Preparation> {
  const user = await systemClient().user.create({ data: { id: newId(), email: `${newId()}@example.com` } })
  const member = { id: newId(), organizationId: id, userId: user.id, role: 'EDITOR' as const, joinedAt: new Date() }
  await systemClient().member.create({ data: member })
  return { session: await makeSession(user.id) }
}

/** Roles reach LIVE rows, so a LIVE key gives them. */
async function inviteMember(mine: TestOrganization): Promise<Preparation> {
  const { key } = await makeKey(mine, { mode: 'LIVE' })
  const { id } = made(await callerOf(key).post('/v1/members', { email: `${newId()}@example.com`, role: 'EDITOR' }))
  return { ids: { member_id: id }, key }
}

/** An organization has one at most. */
async function makeMailIntegration(): Promise<Preparation> {
  const { key } = await makeOrganization()
  const { id } = made(await callerOf(key).post('/v1/email-integrations', MAIL))
  return { ids: { integration_id: id }, key }
}

async function makeHidden(mine: TestOrganization): Promise<string> {
  const id = await makeDeployedCollection(mine, HIDDEN)
  await makeItems(callerOf(mine.key), id, 3, { lock: false })
  made(await callerOf(mine.key).post('/v1/items/lock', { collection_id: id }))
  return id
}

async function makeExternal(mine: TestOrganization): Promise<string> {
  const id = await makeDeployedCollection(mine)
  await mine.ctx.db.collection.update({ where: { id }, data: { deploymentType: 'EXTERNAL' } })
  return id
}

/** A purchase that is paid with a voucher, and the account of its buyer. */
async function takeVoucher() {
  const mine = await makeOrganization()
  const owner = privateKeyToAccount(generatePrivateKey())
  await systemClient().organization.update({ where: { id: mine.id }, data: { payoutAddress: makeRandomAddress() } })
  const { id: listing } = await makeListing(mine, { price: 0, currency: 'ETH', payment_providers: ['MINT_VOUCHER'] })
  const { id, secret } = made(await buy(listing, { buyer: { eth_address: owner.address } }))
  return { owner, ids: { purchase_intent_id: id as string }, query: { secret: secret as string } }
}

async function buyByCard() {
  const mine = await makeOrganization()
  await connectCards(mine)
  const { id, data } = made(await buy((await makeListing(mine)).id))
  return { mine, id: id as string, data }
}

async function makeRedeemable(mine: TestOrganization) {
  const { collectionId, itemIds } = await makePool(mine, 1)
  return (await makeRedeemableClaims(mine, collectionId, itemIds))[0]!
}

const newCopyId = () => randomBytes(32).toString('base64url')

/** A challenge, signed by an address of its own. */
async function signChallenge() {
  const owner = privateKeyToAccount(generatePrivateKey())
  const { message, challenge } = made(await callerOf().post(`/public/v1/wallets/${owner.address}/challenge`, {}))
  return { address: owner.address, body: { challenge, signature: await owner.signMessage({ message }) } }
}

async function proveOwner() {
  const { address, body } = await signChallenge()
  const { proof } = made(await callerOf().post(`/public/v1/wallets/${address}/proof`, body))
  return { address, proof: proof as string }
}

/** A copy of the key of a wallet that has received something. It is kept already. */
async function makeCopied(mine: TestOrganization) {
  const { proof, address } = await proveOwner()
  const { itemId } = await makeItem(mine)
  await mine.ctx.db.itemOwner.create({ data: { organizationId: mine.id, itemId, address, quantity: 1 } })
  const body = { proof, copy_id: newCopyId(), sealed: 'A'.repeat(80) }
  made(await callerOf().post(`/public/v1/wallets/${address}/copies`, body))
  return { ids: { eth_address: address as string }, body }
}

/** The address that owns the item. */
async function makeOwned(mine: TestOrganization): Promise<Preparation> {
  const { itemId } = await makeItem(mine)
  const address = makeRandomAddress()
  await mine.ctx.db.itemOwner.create({ data: { organizationId: mine.id, itemId, address, quantity: 1 } })
  return { ids: { eth_address: address, item_id: itemId }, query: {} }
}

async function shownPin(mine: TestOrganization): Promise<Preparation> {
  const { token, pin } = await makeRedeemable(mine)
  return { ids: { claim_token: token }, body: { pin } }
}

/** A token that its holder sends. */
async function makeSendable(mine: TestOrganization) {
  const { collectionId, itemId } = await makeItem(mine)
  await systemClient().collection.update({ where: { id: collectionId }, data: { contractVersion: '2-test' } })
  const { tokenId } = await mine.ctx.db.item.findFirstOrThrow({ where: { id: itemId } })
  return { collection_id: collectionId, token_id: tokenId!, from_address: makeRandomAddress() }
}

/** A perk of an item whose holder proves that he is here. */
async function makeHeldPerk(mine: TestOrganization, content: object) {
  const { proof, address } = await proveOwner()
  const { itemId, collectionId } = await makeItem(mine)
  await mine.ctx.db.collection.update({ where: { id: collectionId }, data: { following: true } })
  await mine.ctx.db.itemOwner.create({ data: { organizationId: mine.id, itemId, address, quantity: 1 } })
  const cursor = { networkId: 31337, number: 100n }
  await systemClient().chainCursor.upsert({ where: { networkId: 31337 }, create: cursor, update: {} })
  const { id } = made(await callerOf(mine.key).post('/v1/perks', { item_id: itemId, title: 'A seat', ...content }))
  return { ids: { eth_address: address, item_id: itemId, perk_id: id as string }, body: { proof } }
}

/** How to make a good request to each endpoint for which plain rows aren't enough. */
export const PREPARATIONS: Record<string, (mine: TestOrganization) => Promise<Preparation>> = {
  'get-snapshot-holders': async (mine) => {
    const { collectionId } = await makeItem(mine)
    await enterFakeBlocks(100n)
    const body = { name: 'Night one', collection_id: collectionId, block_number: 5 }
    const { id } = made(await callerOf(mine.key).post('/v1/snapshots', body))
    await takeSnapshots(systemContext())
    return { ids: { snapshot_id: id } }
  },
  'get-reveal': async (mine) => ({ ids: { collection_id: await makeHidden(mine) } }),
  'reveal-collection': async (mine) => ({ ids: { collection_id: await makeHidden(mine) } }),
  'refresh-metadata': async (mine) => ({ ids: { collection_id: await makeExternal(mine) } }),
  'get-purchase-intent': takeVoucher,
  'choose-purchase-locale': takeVoucher,
  'wait-for-purchase-intent': takeVoucher,
  'get-address-challenge': async () => ({
    ids: (await takeVoucher()).ids,
    query: { action: 'TAKE_OVER' },
  }),
  'prove-wallet': async () => {
    const { address, body } = await signChallenge()
    return { ids: { eth_address: address }, body }
  },
  'save-wallet-copy': makeCopied,
  'list-wallet-copies': async () => {
    const { proof, address } = await proveOwner()
    return { ids: { eth_address: address }, query: { proof } }
  },
  'remove-wallet-copy': async (mine) => {
    const { ids, body } = await makeCopied(mine)
    return { ids: { ...ids, copy_id: body.copy_id }, query: { proof: body.proof } }
  },
  'list-wallet-items': makeOwned,
  'get-wallet-item': makeOwned,
  'list-wallet-item-history': makeOwned,
  'take-over-purchase-intent': async () => {
    const { owner, ids } = await takeVoucher()
    const path = `/public/v1/purchase-intents/${ids.purchase_intent_id}/challenge?action=TAKE_OVER`
    const { typed_data } = made(await callerOf().get(path))
    return { ids, body: { nonce: typed_data.message.nonce, signature: await owner.signTypedData(typed_data) } }
  },
  'give-up-purchase-intent': takeVoucher,
  P15: async (mine) => {
    const { id } = await makeListing(mine, { ...FREE_PRICE, payment_providers: ['BETA_FREE_MINT'] })
    return { body: { buyer: makeAddressBuyer(), listing_id: id } }
  },
  'refund-purchase-intent': async () => {
    const { mine, id, data } = await buyByCard()
    await pay(data)
    await deliverCardEvents()
    return { ids: { purchase_intent_id: id }, key: mine.key }
  },
  'resolve-purchase-intent': async () => {
    const { mine, id } = await buyByCard()
    await mine.ctx.db.purchaseIntent.update({ where: { id }, data: { status: 'UNRESOLVED' } })
    return { ids: { purchase_intent_id: id }, key: mine.key, body: { outcome: 'DELIVERED' } }
  },
  'create-payment-integration': async () => ({ key: (await makeOrganization()).key }),
  'disconnect-payment-integration': async () => {
    const mine = await makeOrganization()
    const { id } = made(await callerOf(mine.key).post('/v1/payment-integrations', { mode: 'TEST' }))
    return { ids: { payment_integration_id: id }, key: mine.key }
  },
  'create-member': async (mine) => ({
    body: { email: `${newId()}@example.com`, role: 'EDITOR' },
    key: (await makeKey(mine, { mode: 'LIVE' })).key,
  }),
  'resend-invitation': async (mine) => {
    const invited = await inviteMember(mine)
    await systemClient().member.update({ where: { id: invited.ids!.member_id! }, data: { invitedAt: null } })
    return invited
  },
  'update-member': inviteMember,
  'remove-member': inviteMember,
  'leave-organization': signInEditor,
  'choose-member-locale': signInEditor,
  'create-listing': async (mine) => ({
    body: {
      item_id: (await makeItem(mine)).itemId,
      quantity_listed: 1,
      ...FREE_PRICE,
      payment_providers: ['ORGANIZATION'],
    },
  }),
  A1: async () => ({ body: MAIL, key: (await makeOrganization()).key }),
  A2: makeMailIntegration,
  A3: makeMailIntegration,
  'activate-email-integration': makeMailIntegration,
  'send-test-mail': makeMailIntegration,
  P4: async (mine) => {
    const { token, pin } = await makeRedeemable(mine)
    return { ids: { claim_token: token }, body: { pin, address: makeRandomAddress() } }
  },
  'prove-pin': shownPin,
  'decline-claim': shownPin,
  'check-recipient': async (mine) => ({
    ids: { claim_token: (await sendClaim(mine)).token },
    query: { address: makeRandomAddress() },
  }),
  'resolve-recipient-name': async (mine) => ({
    ids: { claim_token: (await sendClaim(mine)).token },
    body: { name: 'alice.eth' },
  }),
  'hand-over-claim': async (mine) => ({ ids: { claim_token: (await sendClaim(mine)).token } }),
  P5: async (mine) => ({ ids: { claim_token: (await sendClaim(mine)).token } }),
  'revoke-email-claim': async (mine) => ({ ids: { email_claim_id: (await sendClaim(mine)).id } }),
  'revoke-api-key': async (mine) => ({ ids: { api_key_id: (await makeKey(mine)).keyId } }),
  'start-import': async (mine) => {
    const collection = await makeCollection(callerOf(mine.key))
    const body = { collection_id: collection, csv: 'title\nMoonflower\n', dry_run: true }
    const { id } = made(await callerOf(mine.key).post('/v1/items/import', body))
    return { ids: { import_id: id } }
  },
  'create-collection': async () => ({ body: { name: newId(), deployment_request: PLATFORM } }),
  'request-deployment': async ({ key }) => ({
    ids: { collection_id: await makeCollection(callerOf(key)) },
    body: PLATFORM,
  }),
  'delete-collection': async ({ key }) => ({ ids: { collection_id: await makeCollection(callerOf(key)) } }),
  'create-items': async ({ key }) => {
    const collection_id = await makeCollection(callerOf(key))
    return {
      body: { items: Array.from({ length: 20 }, () => ({ collection_id, attributes: { title: 'Moonflower' } })) },
    }
  },
  'lock-items': async ({ key }) => {
    const item_ids = await makeItems(callerOf(key), await makeCollection(callerOf(key)), 20, { lock: false })
    return { body: { item_ids } }
  },
  'delete-item': async ({ key }) => {
    const [item_id] = await makeItems(callerOf(key), await makeCollection(callerOf(key)), 1, { lock: false })
    return { ids: { item_id: item_id! } }
  },
  'delete-item-type': async ({ key }) => {
    const { id } = made(await callerOf(key).post('/v1/item-types', { name: newId(), schema: { type: 'object' } }))
    return { ids: { item_type_id: id } }
  },
  'create-email-claims': async (mine) => ({
    body: { claims: [{ email: 'ada@example.com', item_id: (await makeItem(mine)).itemId }] },
  }),
  'create-mint-requests': async (mine) => ({
    body: { item_id: (await makeItem(mine)).itemId, to_address: makeRandomAddress() },
  }),
  'create-perk': async (mine) => ({
    body: { item_id: (await makeItem(mine)).itemId, title: 'A seat', codes: ['MOON-1'] },
  }),
  'open-perks': (mine) => makeHeldPerk(mine, { codes: ['MOON-1'] }),
  'take-perk-codes': (mine) => makeHeldPerk(mine, { codes: ['MOON-1'] }),
  'download-perk-file': async (mine) => {
    const { ids, body } = await makeHeldPerk(mine, { file: { name: 'seat.txt', base64: 'U2VhdCA3' } })
    return { ids, query: body }
  },
  'create-transfer': async (mine) => ({
    body: {
      ...(await makeSendable(mine)),
      to_address: makeRandomAddress(),
      nonce: '1',
      deadline: Math.floor(Date.now() / 1000) + 600,
      signature: `0x${'1b'.repeat(65)}`,
    },
  }),
  'return-transfer': async ({ id: organizationId }) => {
    const data = { state: 'RETURN_REFUSED' as const, failure: 'The contract refuses it.' }
    await systemClient().escrow.updateMany({ where: { organizationId }, data })
    return {}
  },
  'get-transfer-terms': async (mine) => ({ query: { ...(await makeSendable(mine)), to_address: makeRandomAddress() } }),
  'report-abuse': async (mine) => {
    const { id } = await makeListing(mine, { ...FREE_PRICE, payment_providers: ['ORGANIZATION'] })
    return { body: { subject: { type: 'LISTING', id }, reason: 'IMPERSONATION', detail: 'This is not the gallery.' } }
  },
}
