import { expect } from 'vitest'
import { claimTokenOf } from '../../../../lib/giving/claim-token.ts'
import { DAY, secondsFrom } from '../../../../lib/core/clock.ts'
import { newId } from '../../../../lib/core/id.ts'
import { callerOf } from '../../../support/call.ts'
import { makeRandomAddress } from '../../../support/claims.ts'
import { SMTP_PASSWORD, SMTP_USER } from '../../../support/mail-servers.ts'
import { makeRedeemableClaims } from '../../../support/redeemable-claims.ts'
import { eventually, type Stage } from '../stage.ts'
import { expectMails, makeGallery, type OnChain, type Story } from '../story.ts'

const newEmail = () => `${newId()}@example.com`
const emailClaims = ({ organization }: OnChain) => organization.ctx.db.emailClaim.findMany()

/** A claim that a recipient was mailed. */
async function give(stage: Stage, gallery: OnChain, terms: object = {}) {
  const { organization, itemIds } = gallery
  const email = newEmail()
  const { body, status } = await callerOf(organization.key).post('/v1/email-claims', {
    email,
    item_id: itemIds[0],
    ...terms,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  await expectMails(stage.mailbox.mailsTo, email, ['REDEEM_NFT'])
  return { email, id: body.id as string, path: `/public/v1/email-claims/${body.claim_url.split('/').at(-1)}` }
}

/** Sends an item to a mailbox. */
export const gift: Story = async (stage) => {
  const gallery = await makeGallery()
  const { organization, itemIds } = gallery
  const email = newEmail()
  return {
    organization,
    act: async () => {
      const answer = await stage.post(organization, '/v1/email-claims', { email, item_id: itemIds[0] })
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    },
    check: async () => {
      expect((await emailClaims(gallery)).map((claim) => claim.email)).toEqual([email])
      await expectMails(stage.mailbox.mailsTo, email, ['REDEEM_NFT'])
    },
  }
}

/** The same through the mail server of the organization. */
export const giftByOwnServer: Story = async (stage) => {
  const play = await gift(stage)
  const { organization } = play
  const api = callerOf(organization.key)
  const made = await api.post('/v1/email-integrations', {
    provider: 'CUSTOM_SMTP',
    config: {
      email_from: 'Night Gallery <drops@gallery.example>',
      username: SMTP_USER,
      password: SMTP_PASSWORD,
      host: 'localhost',
      port: stage.ownMail.port,
    },
  })
  const active = await api.post(`/v1/email-integrations/${made.body.id}/activate`)
  expect(active.body.status, JSON.stringify([made.body, active.body])).toBe('ACTIVE')
  const ownMailsTo = (to: string) => stage.ownMail.inbox.filter((mail) => mail.to.includes(to))
  return {
    ...play,
    check: async () => {
      const [claim] = await organization.ctx.db.emailClaim.findMany()
      await expectMails(ownMailsTo, claim!.email, ['REDEEM_NFT'])
      expect(stage.mailbox.mailsTo(claim!.email)).toEqual([])
    },
  }
}

/** Sends units of an edition to many mailboxes at once. */
export const giftsInBulk: Story = async (stage) => {
  const gallery = await makeGallery({ variant: 'ERC1155', max_supply: 100 })
  const { organization, itemIds } = gallery
  const emails = Array.from({ length: 5 }, newEmail)
  return {
    organization,
    act: () =>
      stage.post(organization, '/v1/email-claims/bulk', {
        claims: emails.map((email) => ({ email, item_id: itemIds[0] })),
      }),
    check: async () => {
      expect((await emailClaims(gallery)).map((claim) => claim.email).sort()).toEqual(emails.toSorted())
      for (const email of emails) await expectMails(stage.mailbox.mailsTo, email, ['REDEEM_NFT'])
    },
  }
}

/** Asks for the PIN of a claim. */
export const pin: Story = async (stage) => {
  const gallery = await makeGallery()
  const { email, path } = await give(stage, gallery)
  return {
    organization: gallery.organization,
    act: async () => {
      const answer = await stage.post(undefined, `${path}/verify`)
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    },
    check: async () => {
      await expectMails(stage.mailbox.mailsTo, email, ['CLAIM_PINCODE', 'REDEEM_NFT'])
      expect(await gallery.organization.ctx.db.pin.count()).toBe(1)
    },
  }
}

/** Redeems a claim; the organization pays for its mint. */
export const redemption: Story = async (stage) => {
  const gallery = await makeGallery()
  const { organization, collectionId, itemIds } = gallery
  const [claim] = await makeRedeemableClaims(organization, collectionId, itemIds)
  const address = makeRandomAddress()
  return {
    organization,
    act: async () => {
      const url = `/public/v1/email-claims/${claim!.token}/redeem`
      const answer = await stage.post(undefined, url, { pin: claim!.pin, address })
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    },
    check: async () => {
      await eventually('The delivery', async () => (await emailClaims(gallery))[0]!.state === 'CLAIMED')
      expect(await stage.movesOf(gallery.contract)).toEqual([{ id: 1, to: address }])
      expect(await organization.ctx.db.mintRequest.count()).toBe(1)
    },
  }
}

/** Redeems a claim whose recipient pays: a voucher is issued. */
export const redemptionByVoucher: Story = async (stage) => {
  const gallery = await makeGallery()
  const { organization, collectionId, itemIds } = gallery
  const [claim] = await makeRedeemableClaims(organization, collectionId, itemIds, { txPayer: 'BUYER' })
  return {
    organization,
    act: async () => {
      const url = `/public/v1/email-claims/${claim!.token}/redeem`
      const answer = await stage.post(undefined, url, { pin: claim!.pin, address: makeRandomAddress() })
      expect([answer.status, answer.body.status], JSON.stringify(answer.body)).toEqual([201, 'VOUCHER_ISSUED'])
    },
    check: async () => {
      expect((await organization.ctx.db.voucher.findMany()).map(({ state }) => state)).toEqual(['PENDING'])
    },
  }
}

/** Claims whose time ends. */
export const expiredClaims: Story = async (stage) => {
  const gallery = await makeGallery({ items: 3 })
  const { organization, collectionId, itemIds } = gallery
  const { db } = organization.ctx
  await makeRedeemableClaims(organization, collectionId, itemIds)
  return {
    organization,
    act: () => db.emailClaim.updateMany({ where: {}, data: { expiresAt: secondsFrom(new Date(), -1) } }),
    check: async () => {
      await eventually('The end', async () => (await emailClaims(gallery)).every(({ state }) => state === 'EXPIRED'))
      const holds = await db.hold.findMany({ where: { holderType: 'CLAIM' } })
      expect(holds.map(({ state }) => state)).toEqual(['RELEASED', 'RELEASED', 'RELEASED'])
      expect(await stage.movesOf(gallery.contract)).toEqual([])
    },
  }
}

/** A claim that ends soon. Its reminder is written when the worker starts. */
export const reminder: Story = async (stage) => {
  const gallery = await makeGallery()
  const { email, id } = await give(stage, gallery)
  const createdAt = secondsFrom(new Date(), -20 * DAY)
  return {
    organization: gallery.organization,
    act: () =>
      gallery.organization.ctx.db.emailClaim.updateMany({
        where: { id },
        data: { createdAt, expiresAt: secondsFrom(new Date(), DAY) },
      }),
    check: async () => {
      await expectMails(stage.mailbox.mailsTo, email, ['CLAIM_REMINDER', 'REDEEM_NFT'])
      const [link] = stage.mailbox
        .mailsTo(email)
        .filter(({ text }) => text?.includes(claimTokenOf({ id, generation: 1 })))
      expect(link).toBeDefined()
    },
  }
}

/** Deletes a campaign; its claims stay. */
export const deletedCampaign: Story = async (stage) => {
  const gallery = await makeGallery({ items: 3 })
  const { organization, collectionId, itemIds } = gallery
  const { db } = organization.ctx
  const campaign = await callerOf(organization.key).post('/v1/marketing-campaigns', { name: newId() })
  await makeRedeemableClaims(organization, collectionId, itemIds)
  await db.emailClaim.updateMany({ where: {}, data: { campaignId: campaign.body.id } })
  return {
    organization,
    act: () => stage.request('DELETE', `/v1/marketing-campaigns/${campaign.body.id}`, { organization }),
    check: async () => {
      const left = async () => (await emailClaims(gallery)).filter(({ campaignId }) => campaignId === null)
      await eventually('The deletion', async () => (await left()).length === 3)
      expect(await callerOf(organization.key).get('/v1/marketing-campaigns')).toMatchObject({ body: { results: [] } })
    },
  }
}
