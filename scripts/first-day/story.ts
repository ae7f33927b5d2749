import { randomBytes } from 'node:crypto'
import { chromium } from '@playwright/test'
import { listInboxMail } from '../../lib/ports/mail/inbox.ts'
import { LOCAL_CHAIN_ID } from '../launcher/chain.ts'
import { until } from '../launcher/processes.ts'
import { findChromium } from '../test-runner/chromium.ts'
import { type Visitor, visitorOf } from './visitor.ts'

type Gift = { itemId: string; email: string; token: string; address: string }

/** An installation as its operator, its first owner and its recipients meet it, over HTTP only. */
export type Place = { origin: string; mailFolder: string }

async function expectStatus<T>(
  asked: Promise<{ status: number; text: string }>,
  status: number,
  what: string,
): Promise<T> {
  const answer = await asked
  if (answer.status !== status) throw new Error(`${what}: ${answer.status} ${answer.text.slice(0, 500)}`)
  return (answer.text.startsWith('{') ? JSON.parse(answer.text) : {}) as T
}

/** Sets the installation up by its link, in a browser, and gives the owner, signed in. */
export async function setUp({ origin }: Place, link: string): Promise<Visitor> {
  const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    await page.goto(link)
    await page.getByLabel('Name of the organization').fill('First gallery')
    await page.getByLabel('Your email').fill('owner@example.com')
    await page.getByRole('button', { name: 'Set it up' }).click()
    await page.waitForURL('**/dashboard')
    const owner = visitorOf(origin, await page.context().cookies())
    await expectStatus(owner.ask('GET', '/v1/me'), 200, 'The owner')
    return owner
  } finally {
    await browser.close()
  }
}

/** Makes a collection on the chain with `count` items in it, and a claim of each. */
export async function makeGifts(owner: Visitor, count: number): Promise<Gift[]> {
  const post = <T>(path: string, body: object) => expectStatus<T>(owner.ask('POST', path, body), 201, `POST ${path}`)
  const { id } = await post<{ id: string }>('/v1/collections', { name: `Gifts ${randomBytes(4).toString('hex')}` })
  await post(`/v1/collections/${id}/deployment-request`, {
    network_id: LOCAL_CHAIN_ID,
    platform: { symbol: 'GIFT', variant: 'ERC721' },
  })
  await until('The collection', async () =>
    (await owner.ask('GET', `/v1/collections/${id}`)).text.includes('"SUCCESS"'),
  )
  const gifts: Gift[] = []
  for (let at = 0; at < count; at++) {
    const item = await post<{ id: string }>('/v1/items', { collection_id: id, attributes: { title: `Gift ${at + 1}` } })
    await post('/v1/items/lock', { item_id: item.id })
    const email = `${randomBytes(6).toString('hex')}@example.com`
    const claim = await post<{ claim_url: string }>('/v1/email-claims', { email, item_id: item.id })
    gifts.push({
      itemId: item.id,
      email,
      token: claim.claim_url.split('/').at(-1)!,
      address: `0x${randomBytes(20).toString('hex')}`,
    })
  }
  return gifts
}

/** The recipient asks for the PIN, reads the mail and redeems. */
export async function redeem({ origin, mailFolder }: Place, { token, email, address }: Gift): Promise<void> {
  const recipient = visitorOf(origin)
  const path = `/public/v1/email-claims/${token}`
  await insist(() => recipient.ask('POST', `${path}/verify`), 'The PIN')
  let pin = ''
  await until('The mail with the PIN', async () => {
    const mails = await listInboxMail(mailFolder, { to: email })
    pin = mails.map(({ subject }) => /\b\d{6}\b/.exec(subject)?.[0]).find(Boolean) ?? ''
    return pin !== ''
  })
  await insist(() => recipient.ask('POST', `${path}/redeem`, { address, pin }), 'The redemption')
}

/**
 * A process that is being stopped answers nobody any more: people try again, and may have been heard the first time.
 */
async function insist(ask: () => Promise<{ status: number; text: string }>, what: string): Promise<void> {
  let last = ''
  const heard = async () => {
    const { status, text } = await ask()
    last = `${status} ${text.slice(0, 300)}`
    return status < 300 || text.includes('"claim_already_claimed"')
  }
  await until(what, heard, 30_000).catch((error: Error) => {
    throw new Error(`${error.message} ${last}`)
  })
}

/** Waits until the chain says that each gift is its recipient's. */
export async function expectDelivered({ origin }: Place, gifts: Gift[]): Promise<void> {
  const anyone = visitorOf(origin)
  for (const { itemId, address } of gifts)
    await until(
      `The owner of ${itemId}`,
      async () => {
        const { text } = await anyone.ask('GET', `/public/v1/items/${itemId}/owners`)
        const owners = (JSON.parse(text) as { results: { address: string }[] }).results.map((each) =>
          each.address.toLowerCase(),
        )
        if (owners.length > 1 || owners.some((each) => each !== address))
          throw new Error(`${itemId} belongs to ${owners.join(', ')}.`)
        return owners.length === 1
      },
      120_000,
    )
}
