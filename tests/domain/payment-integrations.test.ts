import { beforeEach, describe, expect, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { deauthorizeAccount, enableAccount, restrictAccount } from '../../lib/ports/sandbox-cards/accounts.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { callerOf } from '../support/call.ts'
import { makeCardShop, processCardEvents } from '../support/card-sales.ts'
import { makeOrganization } from '../support/organization.ts'
import { installFakeChain } from '../support/claims.ts'

beforeEach(() => {
  resetClock()
  installFakeChain()
  Object.assign(env, { OPEN_INTENTS_PER_BUYER: 0, OPEN_INTENTS_PER_CLIENT: 0 })
})

describe('payment integrations', () => {
  const onboard = async (key: string) => (await callerOf(key).post('/v1/payment-integrations', { mode: 'TEST' })).body

  test('start PENDING with an onboarding page, become ACTIVE and RESTRICTED, and can be deleted', async () => {
    const { key } = await makeOrganization()
    const api = callerOf(key)
    const first = await onboard(key)
    expect(first).toMatchObject({
      provider: 'CARD_PROVIDER',
      adapter: 'SANDBOX',
      mode: 'TEST',
      status: 'PENDING',
      charges_enabled: false,
      onboarding_url: expect.stringContaining('/sandbox/cards/onboarding/'),
    })
    expect((await onboard(key)).id).toBe(first.id)
    const { submitOnboarding } = await import('../../lib/ports/sandbox-cards/accounts.ts')
    await submitOnboarding(
      openSandboxStore(),
      first.account_id,
      new URL(first.onboarding_url).searchParams.get('token')!,
    )
    expect((await api.post(`/v1/payment-integrations/${first.id}/refresh`)).body).toMatchObject({ status: 'PENDING' })
    moveClock(5_000)
    await processCardEvents()
    expect((await api.get('/v1/payment-integrations')).body.results).toMatchObject([
      { id: first.id, status: 'ACTIVE', charges_enabled: true, requirements: [] },
    ])
    expect((await api.post('/v1/payment-integrations', {})).body.code).toBe('payment_integration_exists')
    await restrictAccount(openSandboxStore(), first.account_id, true)
    await processCardEvents()
    expect((await api.post(`/v1/payment-integrations/${first.id}/refresh`)).body).toMatchObject({
      status: 'RESTRICTED',
      onboarding_url: expect.any(String),
    })
    await restrictAccount(openSandboxStore(), first.account_id, false)
    expect((await api.post(`/v1/payment-integrations/${first.id}/refresh`)).body).toMatchObject({
      status: 'ACTIVE',
      onboarding_url: null,
    })
    expect((await api.delete(`/v1/payment-integrations/${first.id}`)).status).toBe(204)
    expect((await api.delete(`/v1/payment-integrations/${first.id}`)).status).toBe(404)
    expect((await onboard(key)).id).not.toBe(first.id)
  })

  test('the alarm about a lost account ends when another account of its mode can take payments', async () => {
    const shop = await makeCardShop()
    const openAlarms = () => shop.ctx.db.alarm.count({ where: { kind: 'card_account_lost', resolvedAt: null } })
    await deauthorizeAccount(openSandboxStore(), shop.integration.accountId!)
    await processCardEvents()
    expect(await openAlarms()).toBe(1)
    const next = await onboard(shop.organization.key)
    expect(await openAlarms()).toBe(1)
    await enableAccount(openSandboxStore(), next.account_id)
    await callerOf(shop.organization.key).post(`/v1/payment-integrations/${next.id}/refresh`)
    expect(await openAlarms()).toBe(0)
  })

  test('LIVE is refused to a TEST key, and without a configured LIVE provider', async () => {
    const { key, ctx } = await makeOrganization()
    expect((await callerOf(key).post('/v1/payment-integrations', { mode: 'LIVE' })).body.code).toBe('mode_mismatch')
    const { createIntegration } = await import('../../lib/selling/payments/create-integration.ts')
    await expect(createIntegration(ctx, { mode: 'LIVE' })).rejects.toMatchObject({ code: 'provider_not_configured' })
  })

  test('an account that waits in another mode isn’t taken for one of this mode', async () => {
    const { key, ctx, id: organizationId } = await makeOrganization()
    await ctx.db.paymentIntegration.create({
      data: { id: newId(), organizationId, mode: 'LIVE', adapter: 'STRIPE', requirements: [] },
    })
    expect(await onboard(key)).toMatchObject({ mode: 'TEST', adapter: 'SANDBOX', status: 'PENDING' })
  })

  test('the database refuses the built-in provider in LIVE, and TEST payments on LIVE accounts', async () => {
    const shop = await makeCardShop()
    await expect(
      shop.ctx.db.paymentIntegration.create({
        data: { id: newId(), organizationId: shop.organization.id, mode: 'LIVE', adapter: 'SANDBOX', requirements: [] },
      }),
    ).rejects.toThrow()
    const live = await shop.ctx.db.paymentIntegration.create({
      data: {
        id: newId(),
        organizationId: shop.organization.id,
        mode: 'LIVE',
        adapter: 'STRIPE',
        accountId: `acct_${newId()}`,
        requirements: [],
      },
    })
    const purchase = await shop.buy()
    await expect(
      shop.ctx.db.payment.updateMany({ where: { id: purchase.paymentId }, data: { integrationId: live.id } }),
    ).rejects.toThrow()
  })

  test('can’t be disconnected while a payment is open', async () => {
    const shop = await makeCardShop()
    await shop.buy()
    expect(
      (await callerOf(shop.organization.key).delete(`/v1/payment-integrations/${shop.integration.id}`)).body.code,
    ).toBe('payment_integration_in_use')
  })

  test('an account whose opening was not recorded is reused, not opened again', async () => {
    const { key } = await makeOrganization()
    const first = await onboard(key)
    await systemClient().paymentIntegration.update({ where: { id: first.id }, data: { accountId: null } })
    expect(await onboard(key)).toMatchObject({ id: first.id, account_id: first.account_id })
  })
})
