import nodemailer from 'nodemailer'
import sharp from 'sharp'
import { newId } from '../../../lib/core/id.ts'
import { runImports } from '../../../lib/data/imports/run-imports.ts'
import { systemClient } from '../../../lib/db/client.ts'
import { openMailer } from '../../../lib/messaging/outbox/mailer.ts'
import { openDeliverer } from '../../../lib/messaging/webhooks/deliverer.ts'
import { mailLinks, pinMedia, storeItemImage } from '../../../lib/platform/jobs/jobs.ts'
import { sendOverSmtp } from '../../../lib/ports/mail/smtp.ts'
import { guardedPoster } from '../../../lib/ports/egress/guarded-poster.ts'
import { kuboPinning } from '../../../lib/ports/storage/kubo.ts'
import { ports } from '../../../lib/ports/ports.ts'
import { runJob } from '../../../lib/worker/run-jobs.ts'
import { call, callerOf } from '../call.ts'
import { startChain } from '../chain.ts'
import { makeItem, makeRandomAddress, sendClaim } from '../claims.ts'
import { makeOnChainCollection } from '../sending.ts'
import { recordTestEvent } from '../webhooks.ts'
import { emptied, type JobRow, LARGE, replaceForNow, serve, worker } from './stage.ts'
import { largestBlocks, listOf, TITLE, world } from './world.ts'

/** Mails as they would leave over SMTP. */
function installMail(): void {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true })
  replaceForNow({ mail: { send: (message) => sendOverSmtp(transport, message) } })
}

const saveTemplate = (type: string, body: object) =>
  call('PUT', `/v1/email-templates/${type}`, { key: world.organization.key, body: { subject: TITLE, ...body } })

async function gifts(): Promise<void> {
  installMail()
  await systemClient().outboxMessage.deleteMany({})
  await Promise.all(listOf(8, () => sendClaim(world.organization, { title: TITLE })))
}

const drawn = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } }).png()

/** The worst that jobs find of what tenants wrote. */
export const JOB_ROWS: JobRow[] = [
  [
    ['send mail', 'send urgent mail'],
    'mails of one kind with as many variables as a template may have',
    async () => {
      const html = `${'{{item_title}}'.repeat(999)}{{claim_url}}`
      await saveTemplate('REDEEM_NFT', {
        format: 'HTML',
        text: `${'{{item_title}} '.repeat(998)}{{claim_url}}`,
        body: html,
      })
      await gifts()
      return () => emptied(openMailer(worker, { urgent: false }))
    },
  ],
  [
    ['send mail', 'send urgent mail'],
    'mails of one kind with as many large blocks as a template may have',
    async () => {
      await saveTemplate('REDEEM_NFT', { blocks: largestBlocks('{{claim_url}}') })
      await gifts()
      return () => emptied(openMailer(worker, { urgent: false }))
    },
  ],
  [
    ['mail-links'],
    'the links of a mailbox to many large items',
    async () => {
      const { itemId, collectionId } = await makeItem(world.organization, {
        tokenType: 'ERC1155',
        maxSupply: 99n,
        attributes: LARGE,
      })
      const email = `${newId()}@birds.example`
      await systemClient().emailClaim.createMany({
        data: listOf(40, () => ({
          id: newId(),
          organizationId: world.organization.id,
          collectionId,
          itemId,
          email,
          quantity: 1n,
          txPayer: 'SELLER' as const,
        })),
      })
      return () => runJob(mailLinks, { email })
    },
  ],
  [
    ['run imports'],
    'lines of 57 kB',
    async () => {
      const cell = 'a'.repeat(19_000)
      const csv = `title,attributes.a,attributes.b,attributes.c\n${`x,${cell},${cell},${cell}\n`.repeat(60)}`
      const { status } = await callerOf(world.organization.key).post('/v1/items/import', {
        collection_id: world.collection,
        file: { name: 'list.csv', base64: Buffer.from(csv).toString('base64') },
        dry_run: false,
      })
      if (status !== 201) throw new Error(`The import was answered with ${status}.`)
      return () => runImports(worker())
    },
  ],
  [
    ['send transactions', 'watch transactions'],
    'full batches of mints of large items',
    async () => {
      replaceForNow({}) // the chain that begins replaces the fake one
      const chain = await startChain()
      const { organization } = world
      const { api, itemIds, sender } = await makeOnChainCollection(organization, chain, { items: 300 })
      await systemClient().item.updateMany({ where: { id: { in: itemIds } }, data: { attributes: LARGE } })
      for (let at = 0; at < itemIds.length; at += 100) {
        const item_ids = itemIds.slice(at, at + 100)
        await api.post('/v1/mint-requests', { item_ids, to_addresses: item_ids.map(makeRandomAddress) })
      }
      return async () => {
        await sender.run()
        const done = await organization.ctx.db.mintRequest.count({
          where: { itemId: { in: itemIds }, state: 'COMPLETED' },
        })
        if (done < itemIds.length) throw new Error(`Only ${done} mints are completed.`)
      }
    },
  ],
  [
    ['deliver webhooks'],
    'large events to a receiver whose answer never ends',
    async () => {
      replaceForNow({ poster: guardedPoster(['127.0.0.1/32']) })
      const url = await serve((request, response) => {
        request.resume()
        response.write('x')
        const more = setInterval(() => response.write(Buffer.alloc(100_000, 120)), 1)
        response.on('close', () => clearInterval(more))
      })
      const { body } = await callerOf(world.organization.key).post('/v1/webhooks', { name: newId(), url })
      if (!body.id) throw new Error(JSON.stringify(body))
      for (let at = 0; at < 16; at++) await recordTestEvent(world.organization, 'item.minted', LARGE)
      return () => emptied(openDeliverer(worker))
    },
  ],
  [
    ['pin-media'],
    'a file of 25 MB',
    async () => {
      const url = await serve((request, response) => {
        request.resume().on('end', () => response.end(JSON.stringify({ Hash: 'x' })))
      })
      const bytes = Buffer.alloc(25 * 1024 * 1024, 7)
      replaceForNow({
        pinning: kuboPinning(url),
        storage: { ...ports().storage, get: () => Promise.resolve({ bytes, contentType: 'image/webp' }) },
      })
      const file = {
        id: newId(),
        organizationId: world.organization.id,
        cid: newId(),
        width: 1,
        height: 1,
        bytes: 1,
        pinning: 'PENDING' as const,
      }
      await systemClient().mediaFile.create({ data: file })
      return () => runJob(pinMedia, { organization_id: world.organization.id, media_id: file.id })
    },
  ],
]

/** Drawn in threads of the library, with memory for each pixel. */
export const PICTURE_ROWS: JobRow[] = [
  [
    ['keep-image'],
    'a large picture',
    async () => {
      const bytes = await drawn(3_000).toBuffer()
      replaceForNow({ fetcher: { ...ports().fetcher, fetchImage: () => Promise.resolve(bytes) } })
      const source = `https://birds.example/${newId()}.png`
      const { itemId } = await makeItem(world.organization, { attributes: { title: 'x', image_url: source } })
      return () => runJob(storeItemImage, { organization_id: world.organization.id, item_id: itemId, source })
    },
  ],
]
