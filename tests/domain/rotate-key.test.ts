import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { claimContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { createSignInLink, secretOfLink, signInSecret } from '../../lib/platform/auth/sign-in.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { createCollection } from '../../lib/catalog/collections/create-collection.ts'
import { commitmentOf } from '../../lib/catalog/collections/shuffle.ts'
import { now, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { unseal } from '../../lib/core/secrets.ts'
import { readServerKeys, replaceServerKeys, voucherKeyFrom, voucherKeys } from '../../lib/core/server-keys.ts'
import { countOldKeyUses } from '../../lib/data/keys/count-old-key-uses.ts'
import { findVoucherKey } from '../../lib/data/keys/find-voucher-key.ts'
import { reseal } from '../../lib/data/keys/reseal.ts'
import { rotateServerKey } from '../../lib/data/keys/rotate-server-key.ts'
import { SEALED_COLUMNS } from '../../lib/data/keys/sealed-columns.ts'
import { systemClient } from '../../lib/db/client.ts'
import { getClaim } from '../../lib/giving/get-claim.ts'
import { redeemClaim } from '../../lib/giving/redeem-claim.ts'
import { remindClaims } from '../../lib/giving/remind-claims.ts'
import { resendClaim } from '../../lib/giving/resend-claim.ts'
import { sendPin } from '../../lib/giving/send-pin.ts'
import { secretsOf } from '../../lib/messaging/email-integrations/integration-config.ts'
import { createEmailIntegration } from '../../lib/messaging/email-integrations/create-email-integration.ts'
import { writeMails } from '../../lib/messaging/outbox/write-mail.ts'
import { getPerk } from '../../lib/onchain/perks/get-perk.ts'
import { signatureHeaders } from '../../lib/messaging/webhooks/webhook-secret.ts'
import { rotateSecret } from '../../lib/messaging/webhooks/rotate-secret.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { sandboxCards } from '../../lib/ports/cards/sandbox.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { allSandboxKeys } from '../../lib/ports/sandbox-cards/keys.ts'
import { handleSandboxRequest } from '../../lib/ports/sandbox-cards/provider.ts'
import { orderOf } from '../../lib/selling/payments/payment-mark.ts'
import { cardsOf } from '../../lib/selling/payments/card-gateway.ts'
import { checkVoucherKeys } from '../../lib/worker/check-voucher-keys.ts'
import type { Subject } from '../../scripts/doctor/check.ts'
import { keys as keysCheck } from '../../scripts/doctor/checks/keys.ts'
import { call } from '../support/call.ts'
import { caller, installFakeChain, makeItem, makeRandomAddress, sendClaim, type SentClaim } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { startMailbox, type Mailbox } from '../support/mailbox.ts'
import { makeKey, makeOrganization, type TestOrganization } from '../support/organization.ts'
import { buy, connectCards, deliverCardEvents, makeListing, pay } from '../support/selling.ts'
import { until } from '../support/until.ts'
import { makeWebhook } from '../support/webhooks.ts'

const [A, B] = ['a1'.repeat(32), 'b2'.repeat(32)]
const idOf = (key: string) => readServerKeys(key)[0]!.id
const worker = () => systemContext('test')

let mailbox: Mailbox
let organization: TestOrganization

beforeAll(async () => {
  mailbox = await startMailbox()
  installFakeChain()
  replacePorts({ poster: guardedPoster(['127.0.0.1/32']) })
})
beforeEach(async () => {
  useKeys(A)
  // The signers stay those of the first key, as VOUCHER_KEY has it.
  replacePorts({ keys: envKeyring([], voucherKeyFrom(readServerKeys(A)[0]!)) })
  organization = await makeOrganization()
})
afterEach(resetClock)
afterAll(() => replaceServerKeys(null))

/** As after a restart with these keys. */
function useKeys(text: string) {
  replaceServerKeys(text)
  const [keys, ...earlierKeys] = allSandboxKeys()
  const sandbox = sandboxCards({ keys: keys!, earlierKeys, handle: (request) => handleSandboxRequest(request) })
  replacePorts({ cards: { inUse: { TEST: sandbox, LIVE: null }, known: [sandbox] } })
}

async function redeem(claim: SentClaim) {
  await sendPin(claim.ctx)
  return redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: await mailbox.pinOf(claim.email) })
}

const webhookHeaders = async (id: string) =>
  signatureHeaders(
    await organization.ctx.db.webhook.findFirstOrThrow({ where: { id } }),
    'msg_1',
    { at: new Date(0), now: new Date(0) },
    '{}',
  )

/** One of everything that the first key seals. */
async function makeSealed() {
  const { ctx } = organization
  const { id: collectionId } = await createCollection(ctx, {
    name: newId(),
    reveal_strategy: 'DELAYED',
    preview_metadata: { title: 'A sealed box' },
  } as Parameters<typeof createCollection>[1])
  const webhook = await makeWebhook(organization)
  await rotateSecret(ctx, webhook.id)
  const integration = await createEmailIntegration(ctx, {
    provider: 'MAIL_API',
    config: { email_from: 'a@gallery.example', domain: 'gallery.example', api_key: 'key-of-mail', region: 'US' },
  } as Parameters<typeof createEmailIntegration>[1])
  await connectCards(organization)
  const { itemId } = await makeItem(organization)
  const makePerk = async (content: object): Promise<{ id: string }> => {
    const body = { item_id: itemId, title: 'A perk', ...content }
    return (await call('POST', '/v1/perks', { key: organization.key, body })).body
  }
  const perks = {
    text: await makePerk({ text: 'For holders' }),
    codes: await makePerk({ codes: ['MOON-1'] }),
    file: await makePerk({ file: { name: 'map.txt', base64: 'TWFw' } }),
  }
  const listing = await makeListing(organization)
  const headers = { 'idempotency-key': newId() }
  const buyer = { email: `${newId()}@example.com` }
  const bought = await buy(listing.id, { buyer }, headers)
  expect(bought.status).toBe(201)
  const claim = await sendClaim(organization)
  return { collectionId, webhook, integration, perks, listing, headers, buyer, bought: bought.body, claim }
}

type Sealed = Awaited<ReturnType<typeof makeSealed>>

/** What is sealed is what it was: by its effect where there is one. */
async function expectOpen(made: Sealed, headers: Record<string, string>) {
  const { ctx } = organization
  const { revealSeed, revealCommitment } = await ctx.db.collection.findFirstOrThrow({
    where: { id: made.collectionId },
  })
  expect(commitmentOf(unseal('reveal', made.collectionId, revealSeed!))).toBe(revealCommitment)
  expect(await webhookHeaders(made.webhook.id)).toEqual(headers)
  const integration = await ctx.db.emailIntegration.findFirstOrThrow({ where: { id: made.integration.id } })
  expect(secretsOf(integration)).toEqual({ api_key: 'key-of-mail' })
  const { text, codes, file } = made.perks
  expect(await getPerk(ctx, text.id)).toMatchObject({ text: 'For holders' })
  const code = await ctx.db.perkCode.findFirstOrThrow({ where: { perkId: codes.id } })
  expect(unseal('perk', code.id, code.code)).toBe('MOON-1')
  // A code that it has is recognised whatever the key is.
  const known = { key: organization.key, body: { codes: ['MOON-1'] } }
  expect((await call('POST', `/v1/perks/${codes.id}/codes`, known)).body.added).toBe(0)
  const part = await ctx.db.perkFilePart.findFirstOrThrow({ where: { perkId: file.id } })
  expect(unseal('perk', part.id, part.bytes)).toBe('TWFw')
  const again = await buy(made.listing.id, { buyer: made.buyer }, made.headers)
  expect(again.body).toMatchObject({ id: made.bought.id, secret: made.bought.secret, data: made.bought.data })
}

const usesOf = async (kind: string) => (await countOldKeyUses(worker())).filter((use) => use.kind === kind)

describe('with a new key before the earlier one', () => {
  test('what the earlier key sealed opens, and after the rotation it opens with the new key alone', async () => {
    const made = await makeSealed()
    const headers = await webhookHeaders(made.webhook.id)
    useKeys(`${B},${A}`)
    await expectOpen(made, headers)
    expect((await usesOf('SEALED')).map(({ where, listed }) => `${where} ${listed}`)).toEqual(
      SEALED_COLUMNS.map(({ table, column }) => `${table}.${column} true`),
    )
    expect(await rotateServerKey(worker())).toMatchObject({ unreadable: 0 })
    expect(await usesOf('SEALED')).toEqual([])
    expect((await rotateServerKey(worker())).resealed).toBe(0)
    await expectOpen(made, headers)
    await mailbox.deliver(made.claim.email)
    expect(mailbox.mailsTo(made.claim.email).at(-1)!.text).toContain(made.claim.token)
    useKeys(B)
    const row = await organization.ctx.db.collection.findFirstOrThrow({ where: { id: made.collectionId } })
    expect(commitmentOf(unseal('reveal', made.collectionId, row.revealSeed!))).toBe(row.revealCommitment)
    expect(await webhookHeaders(made.webhook.id)).toEqual(headers)
  })

  test('rotations that run at once, and one that was interrupted, leave each value as it was', async () => {
    const made = await makeSealed()
    const headers = await webhookHeaders(made.webhook.id)
    useKeys(`${B},${A}`)
    await reseal(worker(), SEALED_COLUMNS[0]!)
    await Promise.all([rotateServerKey(worker()), rotateServerKey(worker()), rotateServerKey(worker())])
    expect(await usesOf('SEALED')).toEqual([])
    await expectOpen(made, headers)
  })

  test('a value that changes while it is sealed again keeps the change', async () => {
    const { id } = await makeWebhook(organization)
    useKeys(`${B},${A}`)
    const column = SEALED_COLUMNS.find(({ table, column }) => table === 'webhooks' && column === 'secret')!
    // The rotation reads the row, and somebody replaces the secret before it writes.
    const reading = worker()
    let changed = ''
    const racing = {
      ...reading,
      sql: async (query: Prisma.Sql) => {
        const rows = await reading.sql(query)
        if (!changed && query.sql.includes('SELECT')) changed = (await rotateSecret(organization.ctx, id)).secret
        return rows
      },
    } as typeof reading
    await reseal(racing, column)
    const row = await organization.ctx.db.webhook.findFirstOrThrow({ where: { id } })
    expect(unseal('webhook', id, row.secret)).toBe(changed)
  })

  test('values are sealed again in batches, and one that is locked meanwhile is sealed when it is free', async () => {
    const mails = Array.from({ length: 300 }, () => ({
      templateType: 'TEST' as const,
      to: `${newId()}@example.com`,
      variables: { organization_name: 'Night Gallery', sent_at: 'today' },
    }))
    const ids = await writeMails(organization.ctx, mails)
    useKeys(`${B},${A}`)
    const column = SEALED_COLUMNS.find(({ table }) => table === 'outbox_messages')!
    const { result, roundTrips } = await countRoundTrips(() =>
      inTransaction(worker(), async (tx) => {
        await tx.sql(Prisma.sql`SELECT 1 FROM outbox_messages WHERE id = ${ids[7]}::uuid FOR UPDATE`)
        const resealing = reseal(worker(), column)
        await until('The locked row', async () => {
          const [row] = await systemClient().$queryRaw<unknown[]>`
            SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%outbox_messages%'`
          return row !== undefined
        })
        return { resealing }
      }),
    )
    expect((await result.resealing).done).toBeGreaterThanOrEqual(300)
    expect(roundTrips.filter((text) => text.includes('UPDATE outbox_messages')).length).toBeLessThan(20)
    expect((await usesOf('SEALED')).map(({ where }) => where)).not.toContain('outbox_messages.variables')
  })

  test('an API key works and moves on at its next use; one that wasn’t used needs the earlier key', async () => {
    const unused = await makeKey(organization)
    const get = (key: string) => call('GET', '/v1/collections', { key })
    for (const { key } of [organization, unused]) expect((await get(key)).status).toBe(200)
    useKeys(`${B},${A}`)
    expect((await get(organization.key)).status).toBe(200)
    const stored = await systemClient().apiKey.findUniqueOrThrow({ where: { id: organization.keyId } })
    expect(stored.serverKeyId).toBe(idOf(B))
    expect(await usesOf('API_KEYS')).toContainEqual(expect.objectContaining({ keyId: idOf(A), listed: true }))
    useKeys(B)
    expect((await get(organization.key)).status).toBe(200)
    expect((await get(unused.key)).status).toBe(401)
  })

  test('a claim link of the earlier key redeems, and a reminder or a resend has the same link', async () => {
    const claim = await sendClaim(organization)
    const other = await sendClaim(organization)
    useKeys(`${B},${A}`)
    expect((await getClaim(organization.ctx, other.id)).claim_url).toBe(other.claim.claim_url)
    expect((await resendClaim(organization.ctx, other.id, {})).claim_url).toBe(other.claim.claim_url)
    expect(await redeem(claim)).toMatchObject({ status: 'CLAIMED' })
  })

  test('a PIN of the earlier key is accepted, and wrong ones are counted', async () => {
    const claim = await sendClaim(organization)
    await sendPin(claim.ctx)
    const pin = await mailbox.pinOf(claim.email)
    useKeys(`${B},${A}`)
    const guess = (text: string) => redeemClaim(claim.ctx, { address: makeRandomAddress(), pin: text })
    await expect(guess(pin === '000000' ? '000001' : '000000')).rejects.toMatchObject({ code: 'pin_wrong' })
    expect(await guess(pin)).toMatchObject({ status: 'CLAIMED' })
  })

  test('a sign-in link of the earlier key still opens', async () => {
    const token = new URL(await createSignInLink(organization.email)).searchParams.get('token')!
    const secret = signInSecret()
    useKeys(`${B},${A}`)
    expect(signInSecret()).not.toBe(secret)
    expect(await secretOfLink(token)).toBe(secret)
    expect(await secretOfLink('0'.repeat(64))).toBe(signInSecret())
  })

  test('a card payment that was begun with the earlier key is paid, and its mark is known', async () => {
    const { ctx } = organization
    const accountId = await connectCards(organization)
    const { body } = await buy((await makeListing(organization)).id)
    useKeys(`${B},${A}`)
    const payment = await ctx.db.payment.findFirstOrThrow({ where: { intentId: body.id } })
    const listed = await cardsOf(ctx, payment).payments.find(accountId, { reference: payment.id, since: new Date(0) })
    expect(orderOf(listed!, accountId)).toMatchObject({ intentId: body.id, serverKeyId: idOf(A) })
    await pay(body.data)
    await deliverCardEvents()
    expect((await ctx.db.payment.findFirstOrThrow({ where: { id: payment.id } })).state).toBe('SUCCEEDED')
    useKeys(B)
    expect(orderOf(listed!, accountId)).toBeNull()
  })
})

describe('after the earlier key was removed', () => {
  test('its claim links are refused by the id of that key, and the status counts them', async () => {
    const claim = await sendClaim(organization)
    useKeys(B)
    await expect(claimContext(claim.token, caller)).rejects.toThrow(idOf(A))
    const answer = await call('GET', `/public/v1/email-claims/${claim.token}`)
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    expect(await usesOf('OPEN_CLAIMS')).toContainEqual(expect.objectContaining({ keyId: idOf(A), listed: false }))
    expect((await getClaim(organization.ctx, claim.id)).claim_url).toBeNull()
  })

  test('sending a claim again makes a new link, and so does a reminder', async () => {
    const [resent, reminded] = [await sendClaim(organization), await sendClaim(organization)]
    const soon = new Date(now().getTime() + 86_400_000)
    const before = new Date(now().getTime() - 10 * 86_400_000)
    await systemClient().emailClaim.update({ where: { id: reminded.id }, data: { expiresAt: soon, createdAt: before } })
    useKeys(B)
    const { claim_url } = await resendClaim(organization.ctx, resent.id, {})
    const ctx = await claimContext(claim_url!.split('/').at(-1)!, caller)
    expect(await redeem({ ...resent, ctx })).toMatchObject({ status: 'CLAIMED' })
    await remindClaims(worker())
    await mailbox.deliver(reminded.email)
    const { claim_url: link } = await getClaim(organization.ctx, reminded.id)
    expect(mailbox.mailsTo(reminded.email).at(-1)!.text).toContain(link)
  })

  test('a PIN of it counts as expired, not as a wrong guess', async () => {
    const claim = await sendClaim(organization)
    await sendPin(claim.ctx)
    const pin = await mailbox.pinOf(claim.email)
    useKeys(B)
    const guess = redeemClaim(claim.ctx, { address: makeRandomAddress(), pin })
    await expect(guess).rejects.toMatchObject({ code: 'pin_expired' })
    expect((await systemClient().emailClaim.findUniqueOrThrow({ where: { id: claim.id } })).wrongPins).toBe(0)
  })

  test('what it sealed can’t be opened, is counted as unreadable, and stays as it is', async () => {
    const { id } = await makeWebhook(organization)
    const stored = () => organization.ctx.db.webhook.findFirstOrThrow({ where: { id } })
    const before = await stored()
    useKeys(B)
    await expect(webhookHeaders(id)).rejects.toThrow(idOf(A))
    expect((await rotateServerKey(worker())).unreadable).toBeGreaterThan(0)
    expect(await stored()).toEqual(before)
    // A new secret is all that signs then.
    await rotateSecret(organization.ctx, id)
    expect((await webhookHeaders(id))['webhook-signature']!.split(' ')).toHaveLength(1)
  })

  test('the status page of a purchase is refused by the id of that key', async () => {
    await connectCards(organization)
    const { body } = await buy((await makeListing(organization)).id)
    useKeys(B)
    const answer = await call('GET', `/public/v1/purchase-intents/${body.id}?secret=${body.secret}`)
    expect([answer.status, answer.body.detail]).toEqual([503, expect.stringContaining(idOf(A))])
    expect(await usesOf('OPEN_PURCHASES')).toContainEqual(expect.objectContaining({ keyId: idOf(A), listed: false }))
  })
})

test('doctor names what needs a key that isn’t listed, and what isn’t sealed again yet', async () => {
  const found = async () =>
    (await keysCheck.run({ settings: env, timeoutMs: 20_000, quote: String } as unknown as Subject)).map(
      ({ verdict, detail }) => `${verdict}: ${detail}`,
    )
  await makeWebhook(organization)
  await sendClaim(organization)
  useKeys(`${B},${A}`)
  expect(await found()).toContainEqual(expect.stringMatching(/^warning: \d+ encrypted values need an earlier key/))
  useKeys(B)
  for (const line of [/^wrong: \d+ encrypted values/, /^warning: The links of \d+/, /^warning: \d+ API keys/])
    expect(await found()).toContainEqual(expect.stringMatching(line))
  useKeys(`${B},${A}`)
  await rotateServerKey(worker())
  expect(await found()).toEqual([expect.stringMatching(/^ok: It lists several keys/)])
})

test('the rotation writes down which key made links from before keys had ids', async () => {
  const claim = await sendClaim(organization)
  await connectCards(organization)
  const { body } = await buy((await makeListing(organization)).id)
  const unnamed = { serverKeyId: null }
  await systemClient().claimToken.updateMany({ where: { claimId: claim.id }, data: unnamed })
  await systemClient().purchaseIntent.updateMany({ where: { id: body.id }, data: unnamed })
  useKeys(`${B},${A}`)
  expect((await rotateServerKey(worker())).named).toBeGreaterThanOrEqual(2)
  const token = await systemClient().claimToken.findFirstOrThrow({ where: { claimId: claim.id } })
  const intent = await systemClient().purchaseIntent.findUniqueOrThrow({ where: { id: body.id } })
  expect([token.serverKeyId, intent.serverKeyId]).toEqual([idOf(A), idOf(A)])
})

describe('voucher signers', () => {
  /** A claim whose collection’s contract knows the signer of the first key. */
  async function makeVoucherClaim() {
    const claim = await sendClaim(organization, { txPayer: 'BUYER' })
    const signer = envKeyring([], voucherKeyFrom(readServerKeys(A)[0]!)).voucherSigner(claim.collectionId)
    const { ctx } = organization
    await inTransaction(ctx, (tx) =>
      tx.db.collection.updateMany({ where: { id: claim.collectionId }, data: { signer } }),
    )
    return { ...claim, signer }
  }
  const openAlarms = () => systemClient().alarm.count({ where: { kind: 'voucher_key_missing', resolvedAt: null } })

  test('a voucher is never signed by another signer than the contract’s: it is refused, and an alarm tells it', async () => {
    const claim = await makeVoucherClaim()
    const keyring = (key: string) => envKeyring([], voucherKeyFrom(readServerKeys(key)[0]!))
    replacePorts({ keys: keyring(B) })
    await sendPin(claim.ctx)
    const pin = await mailbox.pinOf(claim.email)
    const address = makeRandomAddress()
    const asked = async () => redeemClaim(await claimContext(claim.token, caller), { address, pin })
    await expect(asked()).rejects.toThrow(claim.signer)
    expect(await systemClient().voucher.count({ where: { claimId: claim.id } })).toBe(0)
    await checkVoucherKeys(worker())
    expect(await openAlarms()).toBe(1)
    replacePorts({ keys: keyring(A) })
    await checkVoucherKeys(worker())
    expect(await openAlarms()).toBe(0)
    expect(await asked()).toMatchObject({ status: 'VOUCHER_ISSUED' })
  })

  test('their key is found among the listed server keys by the signers that contracts know', async () => {
    const { collectionId, signer } = await makeVoucherClaim()
    useKeys(`${B},${A}`)
    const setting = `derived:${(await findVoucherKey(worker())).toString('hex')}`
    expect(envKeyring([], () => voucherKeys(setting)).voucherSigner(collectionId)).toBe(signer)
    useKeys(B)
    await expect(findVoucherKey(worker())).rejects.toThrow('No key in SERVER_KEY')
  })

  test('npm run rotate-key writes their key for its owner alone, never over another file, and prints no secret', async () => {
    const { collectionId, signer } = await makeVoucherClaim()
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'voucher-key-'))
    onTestFinished(() => fs.rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'key')
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, [path.resolve('scripts/rotate-key.ts'), ...args], {
        env: { ...process.env, SERVER_KEY: `${B},${A}` },
      })
    const taken = path.join(folder, 'taken')
    fs.writeFileSync(taken, 'kept')
    const [{ stdout }, refused, status] = await Promise.all([
      run('--voucher-key-file', file),
      run('--voucher-key-file', taken).catch((error: Error) => error.message),
      run('--status'),
    ])
    const setting = fs.readFileSync(file, 'utf8').trim()
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    expect(envKeyring([], () => voucherKeys(setting)).voucherSigner(collectionId)).toBe(signer)
    expect(stdout).not.toContain(setting.slice('derived:'.length))
    expect([refused, fs.readFileSync(taken, 'utf8')]).toEqual([expect.stringContaining('EEXIST'), 'kept'])
    expect(status.stdout).toContain(`SERVER_KEY lists ${idOf(B)}, ${idOf(A)}.`)
    expect(status.stdout).toMatch(new RegExp(`${idOf(A)}: \\d+ open claims`))
  })
})
