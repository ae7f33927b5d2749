import { expect } from 'vitest'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { secondsFrom } from '../../../../lib/core/clock.ts'
import { openSandboxStore } from '../../../../lib/ports/sandbox-cards/store.ts'
import { makeOrganization } from '../../../support/organization.ts'
import { takeBackup } from '../../../support/organization-backup.ts'
import { connectCards, FREE_PRICE, makeListing, pay, setPayoutAddress } from '../../../support/selling.ts'
import { unitsOf } from '../../../support/sending.ts'
import { sendVoucher } from '../../../support/vouchers.ts'
import { eventually, type Stage } from '../stage.ts'
import { makeGallery, type Story } from '../story.ts'

const UNITS = 5

/** An edition on sale, and a buyer of one unit of it. */
async function openSale(stage: Stage, terms: object = {}) {
  const gallery = await makeGallery({ variant: 'ERC1155', max_supply: UNITS })
  const { organization, itemIds } = gallery
  const account = 'payment_providers' in terms ? null : await connectCards(organization)
  if (!account) await setPayoutAddress(organization)
  const listing = await makeListing(organization, { item_id: itemIds[0], quantity_listed: UNITS, ...terms })
  const buyer = privateKeyToAccount(generatePrivateKey())
  const { db } = organization.ctx
  const sandbox = () => openSandboxStore().db
  const buy = async () => {
    const body = { listing_id: listing.id, buyer: { eth_address: buyer.address } }
    const answer = await stage.post(undefined, '/public/v1/purchase-intents', body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body
  }
  const payCard = (bought: { data: Parameters<typeof pay>[0] }) =>
    eventually('The payment', async () => {
      const { body } = await pay(bought.data)
      return body.status === 'succeeded' || body.error?.payment_intent?.status === 'succeeded'
    })
  const purchase = () => db.purchaseIntent.findFirstOrThrow()
  const expectDelivered = async () => {
    await eventually('The delivery', async () => (await purchase()).fulfillmentStatus === 'COMPLETED')
    expect(await db.purchaseIntent.count()).toBe(1)
    expect(await unitsOf(stage.chain, gallery, { owner: buyer.address, tokenId: 1n })).toBe(1n)
  }
  const expectUnsold = async () => {
    const { quantityOpen, quantityConfirmed } = await db.listing.findFirstOrThrow()
    expect([quantityOpen, quantityConfirmed]).toEqual([0n, 0n])
    expect(await db.hold.count({ where: { holderType: 'PURCHASE', state: 'HELD' } })).toBe(0)
  }
  const paymentsAtProvider = () => sandbox().sandboxPaymentIntent.findMany({ where: { accountId: account! } })
  return { ...gallery, db, sandbox, buyer, buy, payCard, purchase, expectDelivered, expectUnsold, paymentsAtProvider }
}

/** Buys by card. */
export const cardPurchase: Story = async (stage) => {
  const sale = await openSale(stage)
  return {
    organization: sale.organization,
    act: async () => sale.payCard(await sale.buy()),
    check: async () => {
      await sale.expectDelivered()
      expect(await sale.paymentsAtProvider()).toHaveLength(1)
      expect(await sale.db.mintRequest.count()).toBe(1)
    },
  }
}

/** Refunds a purchase that was delivered. */
export const refund: Story = async (stage) => {
  const sale = await openSale(stage)
  const bought = await sale.buy()
  await sale.payCard(bought)
  await sale.expectDelivered()
  return {
    organization: sale.organization,
    act: async () => {
      const answer = await stage.post(sale.organization, `/v1/purchase-intents/${bought.id}/refund`, {})
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    },
    check: async () => {
      await eventually('The refund', async () => (await sale.purchase()).status === 'REFUNDED')
      const [payment] = await sale.paymentsAtProvider()
      expect(await sale.sandbox().sandboxRefund.count({ where: { paymentIntentId: payment!.id } })).toBe(1)
      expect(payment!.amountRefunded).toBe(payment!.amount)
      await sale.expectDelivered()
    },
  }
}

/** A card purchase that is never paid: its buyer gives it up, or its time ends. */
export const unpaid =
  (ends: 'given up' | 'by time'): Story =>
  async (stage) => {
    const sale = await openSale(stage)
    const { id, secret } = await sale.buy()
    const endTime = () => sale.db.purchaseIntent.updateMany({ where: { id }, data: { expiresAt: new Date() } })
    return {
      organization: sale.organization,
      act: () =>
        ends === 'by time' ? endTime() : stage.request('DELETE', `/public/v1/purchase-intents/${id}?secret=${secret}`),
      check: async () => {
        await eventually('The end', async () => (await sale.purchase()).status !== 'PENDING')
        expect((await sale.paymentsAtProvider()).map(({ status }) => status)).toEqual(['canceled'])
        await sale.expectUnsold()
      },
    }
  }

/**
 * A card payment whose request died before the provider was asked, and whose buyer didn’t come back: the worker
 * finishes it.
 */
export const leftPayment: Story = async (stage) => {
  const sale = await openSale(stage)
  await sale.buy()
  const createdAt = secondsFrom(new Date(), -30)
  return {
    organization: sale.organization,
    act: () =>
      sale.db.payment.updateMany({
        where: {},
        data: { state: 'CREATING', providerId: null, clientSecret: null, checkedAt: null, createdAt },
      }),
    check: async () => {
      await eventually('The payment', async () => (await sale.db.payment.findFirstOrThrow()).state === 'OPEN')
      expect(await sale.paymentsAtProvider()).toHaveLength(1)
    },
  }
}

/** The books are put back to before a purchase was begun, whose payment the card provider still has. */
export const lostPayment: Story = async (stage) => {
  const sale = await openSale(stage)
  const putBack = await takeBackup(sale.organization.id)
  return {
    organization: sale.organization,
    act: async () => {
      await sale.buy()
      await putBack()
    },
    check: async () => {
      await eventually('The lost payment', async () => (await sale.db.lostPayment.count()) === 1)
      expect((await sale.db.lostPayment.findFirstOrThrow()).outcome).toBe('CANCELLED')
      expect((await sale.paymentsAtProvider()).map(({ status }) => status)).toEqual(['canceled'])
      await eventually('The end of the recovery', () =>
        sale.db.paymentIntegration.findFirst({ where: { recoveringSince: null } }),
      )
      await sale.expectUnsold()
    },
  }
}

/** Takes what is free. */
export const freePurchase: Story = async (stage) => {
  const sale = await openSale(stage, { ...FREE_PRICE, payment_providers: ['BETA_FREE_MINT'] })
  return {
    organization: sale.organization,
    act: sale.buy,
    check: async () => {
      await sale.expectDelivered()
      expect(await sale.db.mintRequest.count()).toBe(1)
    },
  }
}

const BY_VOUCHER = { price: parseEther('0.01').toString(), currency: 'ETH', payment_providers: ['MINT_VOUCHER'] }

/** Buys with a voucher, which the buyer sends. */
export const voucherPurchase: Story = async (stage) => {
  const sale = await openSale(stage, BY_VOUCHER)
  await stage.chain.node.setBalance({ address: sale.buyer.address, value: parseEther('1') })
  return {
    organization: sale.organization,
    act: async () => sendVoucher(stage.chain, sale.buyer, (await sale.buy()).data),
    check: async () => {
      await sale.expectDelivered()
      expect((await sale.db.voucher.findMany()).map(({ state }) => state)).toEqual(['REDEEMED'])
    },
  }
}

/** A voucher that nobody sends until its time ends. */
export const expiredVoucher: Story = async (stage) => {
  const sale = await openSale(stage, BY_VOUCHER)
  await sale.buy()
  return {
    organization: sale.organization,
    act: () => sale.db.voucher.updateMany({ where: {}, data: { expiry: BigInt(Math.floor(Date.now() / 1000) - 60) } }),
    check: async () => {
      await eventually('The end', async () => (await sale.db.voucher.findFirstOrThrow()).state === 'EXPIRED')
      expect((await sale.purchase()).status).not.toBe('PENDING')
      await sale.expectUnsold()
    },
  }
}

/** Connects an account at the card provider. */
export const cardAccount: Story = async (stage) => {
  const organization = await makeOrganization()
  return {
    organization,
    act: () => stage.post(organization, '/v1/payment-integrations', { mode: 'TEST' }),
    check: async () => {
      const [integration, ...others] = await organization.ctx.db.paymentIntegration.findMany()
      expect(others).toEqual([])
      expect(await openSandboxStore().db.sandboxAccount.count({ where: { id: integration!.accountId! } })).toBe(1)
    },
  }
}
