import { randomBytes } from 'node:crypto'
import { claimTokenHash } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { claimTokenOf } from '../../lib/giving/claim-token.ts'
import { newPrintKey, sealPerk } from '../../lib/onchain/perks/perk-content.ts'
import { columnsOf } from '../../lib/messaging/email-integrations/integration-config.ts'
import type { TestOrganization } from './organization.ts'
import { leaveDisagreements } from './verify-file.ts'

const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Nobody listens there. */
const MAIL_SETTINGS = {
  email_from: 'gallery@example.com',
  username: 'gallery',
  password: 'a secret',
  host: '127.0.0.1',
  port: 1,
}

/**
 * Writes one row of every kind to the database, which nothing made; returns a value for every path parameter of the
 * API. The file isn't verified then.
 */
export async function makeRows(
  organization: TestOrganization,
  mode: 'TEST' | 'LIVE' = 'TEST',
): Promise<Record<string, string>> {
  leaveDisagreements('Its rows of every kind stand alone: claims, listings and purchases without holds.')
  const { ctx, id: organizationId } = organization
  const own = () => ({ id: newId(), organizationId })
  const collection = await ctx.db.collection.create({
    data: {
      ...own(),
      name: newId(),
      deploymentStatus: 'SUCCESS',
      deploymentType: 'PLATFORM',
      networkId: 31337,
      mode,
      tokenType: 'ERC721',
      contractAddress: `0x${randomBytes(20).toString('hex')}`,
      nextRequestId: 2n,
    },
  })
  const ids = { collectionId: collection.id }
  const itemType = await ctx.db.itemType.create({ data: { ...own(), name: newId(), schema: {} } })
  const item = await ctx.db.item.create({
    data: { ...own(), ...ids, attributes: { title: 'Theirs' }, tokenId: '1', lockedAt: new Date(), maxSupply: 1n },
  })
  await ctx.db.itemOwner.create({ data: { organizationId, itemId: item.id, address: OWNER, quantity: 1 } })
  const claim = await ctx.db.emailClaim.create({
    data: { ...own(), ...ids, itemId: item.id, email: 'ada@example.com', quantity: 1n, txPayer: 'SELLER' },
  })
  const token = claimTokenOf(claim)
  await ctx.db.claimToken.create({
    data: { hash: claimTokenHash(token), organizationId, claimId: claim.id, generation: 1 },
  })
  const transaction = await ctx.db.transaction.create({
    data: { ...own(), ...ids, networkId: 31337, txType: 'ADMIN_MINT' },
  })
  await ctx.db.mintRequest.create({
    data: {
      ...own(),
      ...ids,
      itemId: item.id,
      transactionId: transaction.id,
      toAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      quantity: 1n,
      requestNumber: 1n,
    },
  })
  const sending = await ctx.db.transaction.create({
    data: { ...own(), ...ids, networkId: 31337, txType: 'SIGNED_TRANSFER' },
  })
  const transfer = await ctx.db.signedTransfer.create({
    data: {
      ...own(),
      ...ids,
      itemId: item.id,
      transactionId: sending.id,
      networkId: 31337,
      tokenId: '1',
      quantity: 1n,
      fromAddress: OWNER,
      toAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      nonce: 1,
      deadline: 1n,
      signature: '0x',
      sinceBlock: 0n,
    },
  })
  await ctx.db.escrow.create({
    data: {
      id: transfer.id,
      organizationId,
      ...ids,
      itemId: item.id,
      networkId: 31337,
      fromAddress: OWNER,
      operator: transfer.toAddress,
      email: 'grace@example.com',
      gasWei: 1,
    },
  })
  const perkId = newId()
  const content = sealPerk(perkId, { printKey: newPrintKey() })
  const shown = { kind: 'CODES' as const, title: 'Theirs', isPublic: true, createdAt: new Date() }
  const perk = await ctx.db.perk.create({
    data: { id: perkId, organizationId, ...ids, itemId: item.id, ...shown, content },
  })
  const listing = await ctx.db.listing.create({
    data: {
      ...own(),
      ...ids,
      itemId: item.id,
      mode,
      networkId: 31337,
      status: 'ACTIVE',
      quantityListed: 1n,
      price: 0,
      currency: 'ETH',
      currencyDecimals: 18,
      paymentProviders: ['ORGANIZATION'],
    },
  })
  const intent = await ctx.db.purchaseIntent.create({
    data: {
      ...own(),
      listingId: listing.id,
      mode,
      provider: 'ORGANIZATION',
      fulfillmentMethod: 'TRANSFER',
      quantity: 1n,
      total: 0,
      currency: 'ETH',
      buyerAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      secretHash: new Uint8Array(32),
      expiresAt: new Date(),
    },
  })
  const snapshot = await ctx.db.snapshot.create({ data: { ...own(), ...ids, name: 'Theirs', blockNumber: 1n } })
  const integration = await ctx.db.paymentIntegration.create({
    data: { ...own(), mode, adapter: mode === 'LIVE' ? 'STRIPE' : 'SANDBOX', requirements: [] },
  })
  const mailId = newId()
  const mail = await ctx.db.emailIntegration.create({
    data: { id: mailId, organizationId, provider: 'CUSTOM_SMTP', ...columnsOf(mailId, 'CUSTOM_SMTP', MAIL_SETTINGS) },
  })
  const suppression = await ctx.db.suppression.create({
    data: { ...own(), email: 'gone@example.com', reason: 'BOUNCE' },
  })
  const campaign = await ctx.db.campaign.create({ data: { ...own(), name: newId() } })
  const webhook = await ctx.db.webhook.create({
    data: { ...own(), name: 'Theirs', url: 'https://hooks.example.com/', eventTypes: [], secret: new Uint8Array(29) },
  })
  const delivery = await ctx.db.webhookDelivery.create({
    data: {
      ...own(),
      webhookId: webhook.id,
      eventType: 'item.minted',
      messageId: newId(),
      payload: {},
      state: 'DELIVERED',
    },
  })
  const mediaFile = await ctx.db.mediaFile.create({ data: { ...own(), cid: newId(), width: 1, height: 1, bytes: 1 } })
  const imported = await ctx.db.import.create({
    data: { ...own(), kind: 'ITEMS', options: {}, rowCount: 0, okCount: 0, duplicateCount: 0, invalidCount: 0 },
  })
  const audited = await ctx.db.auditEntry.create({
    data: {
      ...own(),
      actorType: 'system',
      action: 'item.created',
      subjectType: 'item',
      subjectId: item.id,
      requestId: newId(),
    },
  })
  return {
    integration_id: mail.id,
    suppression_id: suppression.id,
    campaign_id: campaign.id,
    webhook_id: webhook.id,
    webhook_delivery_id: delivery.id,
    media_id: mediaFile.id,
    import_id: imported.id,
    audit_entry_id: audited.id,
    member_id: organization.memberId,
    template_type: 'REDEEM_NFT',
    organization_id: organizationId,
    collection_id: collection.id,
    item_id: item.id,
    item_type_id: itemType.id,
    api_key_id: organization.keyId,
    email_claim_id: claim.id,
    claim_token: token,
    transaction_id: transaction.id,
    transfer_id: transfer.id,
    perk_id: perk.id,
    copy_id: 'QmVm'.repeat(11).slice(1),
    payment_integration_id: integration.id,
    listing_id: listing.id,
    snapshot_id: snapshot.id,
    purchase_intent_id: intent.id,
    token_id: '1',
    network_id: '31337',
    eth_address: OWNER,
    capability: 'ERC721',
  }
}
