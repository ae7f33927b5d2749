import { beforeAll, expect, test, vi } from 'vitest'
import { systemClient } from '../../lib/db/client.ts'
import { guardedPoster } from '../../lib/ports/egress/guarded-poster.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { ask, frontDoor } from '../support/front-door.ts'
import { type Mailbox, startMailbox } from '../support/mailbox.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection } from '../support/sending.ts'
import { until } from '../support/until.ts'
import { makeWebhook } from '../support/webhooks.ts'
import { spawnWorker } from '../support/worker.ts'

// A worker process starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

type Line = { msg: string; requestId?: string; requestIds?: string[] }

const LOOPBACK = '127.0.0.1/32'

let chain: TestChain
let mailbox: Mailbox
let organization: TestOrganization
beforeAll(async () => {
  replacePorts({ poster: guardedPoster([LOOPBACK]) })
  mailbox = await startMailbox()
  chain = await startChain({ blockTime: 1 })
  organization = await makeOrganization()
})

/** Sends a request through the front door with an id of its own, as a browser's proxy would. */
async function send(url: string, requestId: string, body: object, key?: string) {
  const headers = {
    'content-type': 'application/json',
    'x-request-id': requestId,
    ...(key && { authorization: `Bearer ${key}` }),
  }
  const answer = await ask(url, { method: 'POST', headers, body: JSON.stringify(body) })
  expect([answer.status < 300, answer.headers['request-id']], answer.body).toEqual([true, requestId])
  return (answer.body ? JSON.parse(answer.body) : null) as Record<string, string>
}

/** The newest mail to an address that a request caused. */
const mailOf = (to: string, requestId: string) =>
  until(`The mail of ${requestId}`, () =>
    mailbox
      .mailsTo(to)
      .findLast(({ headers }) => headers.some(({ key, value }) => key === 'x-request-id' && value === requestId)),
  )

test('the id of a request is in its answer, its audit entry, its rows, the worker’s lines about them and the mails', async () => {
  const { itemIds } = await makeOnChainCollection(organization, chain)
  const webhook = await makeWebhook(organization, { events: ['claim.created', 'claim.redeemed'] })
  const { url } = await frontDoor()
  const lines: string[] = []
  spawnWorker(chain, { lines, env: { SMTP_URL: mailbox.url, EGRESS_ALLOW: LOOPBACK } })
  const lineOf = (message: string, isAbout: (line: Line) => boolean) =>
    until(message, () =>
      lines
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Line)
        .find((line) => line.msg === message && isAbout(line)),
    )
  const email = `${crypto.randomUUID()}@example.com`
  const { ctx } = organization

  const claim = await send(`${url}/v1/email-claims`, 'shop-1', { email, item_id: itemIds[0] }, organization.key)
  expect(await ctx.db.auditEntry.findFirst({ where: { subjectId: claim.id! } })).toMatchObject({ requestId: 'shop-1' })
  const link = { toEmail: email, templateType: 'REDEEM_NFT' }
  expect(await ctx.db.outboxMessage.findFirst({ where: link })).toMatchObject({ requestId: 'shop-1' })
  await mailOf(email, 'shop-1')
  await lineOf('A mail was sent.', ({ requestId }) => requestId === 'shop-1')
  await lineOf('A webhook delivery was posted.', ({ requestId }) => requestId === 'shop-1')

  await send(`${url}/public/v1/link-mails`, 'buyer-0', { email })
  await mailOf(email, 'buyer-0') // a job writes this one

  const at = `${url}/public/v1/email-claims/${claim.claim_url!.split('/').at(-1)!}`
  await send(`${at}/verify`, 'buyer-1', { email })
  const pin = /^\d{6}/.exec((await mailOf(email, 'buyer-1')).subject!)![0]
  await send(`${at}/redeem`, 'buyer-2', { address: makeRandomAddress(), pin })
  const mint = await ctx.db.mintRequest.findFirstOrThrow({
    where: { claimId: claim.id! },
    include: { transaction: true },
  })
  expect([mint.requestId, mint.transaction.requestId]).toEqual(['buyer-2', 'buyer-2'])
  const isMint = ({ requestIds }: Line) => requestIds?.includes('buyer-2') ?? false
  await lineOf('A transaction was sent.', isMint)
  await lineOf('A transaction was completed.', isMint)
  await lineOf('A webhook delivery was posted.', ({ requestId }) => requestId === 'buyer-2')
  await mailOf(email, 'buyer-2') // the token has arrived
  const deliveries = await webhook.deliveries()
  expect(deliveries.map(({ eventType, requestId }) => [eventType, requestId])).toEqual([
    ['claim.created', 'shop-1'],
    ['claim.redeemed', 'buyer-2'],
  ])
})

test('a mail that is refused and tried again is found by its request’s id', async () => {
  const { url } = await frontDoor()
  const { itemIds } = await makeOnChainCollection(organization, chain)
  const email = `${crypto.randomUUID()}@example.com`
  mailbox.refuse('Try later.')
  const lines: string[] = []
  spawnWorker(chain, { lines, env: { SMTP_URL: mailbox.url } })
  await send(`${url}/v1/email-claims`, 'shop-2', { email, item_id: itemIds[0] }, organization.key)
  const about = (text: string) => () =>
    lines.find((line) => line.includes('"requestId":"shop-2"') && line.includes(text))
  await until('The failure', about('A mail could not be sent'))
  mailbox.refuse(null)
  await until('The mail', about('A mail was sent.'))
  await mailOf(email, 'shop-2')
})

test('claims that are written together keep the id of the request that asked for each', async () => {
  const { url } = await frontDoor()
  const { itemIds } = await makeOnChainCollection(organization, chain, { items: 5 })
  const asked = itemIds.map((item_id, at) => ({
    email: `${crypto.randomUUID()}@example.com`,
    item_id,
    id: `burst-${at}`,
  }))
  await Promise.all(asked.map(({ id, ...body }) => send(`${url}/v1/email-claims`, id, body, organization.key)))
  const mails = await systemClient().outboxMessage.findMany({
    where: { toEmail: { in: asked.map(({ email }) => email) } },
  })
  expect(new Map(mails.map(({ toEmail, requestId }) => [toEmail, requestId]))).toEqual(
    new Map(asked.map(({ email, id }) => [email, id])),
  )
})
