import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import nodemailer from 'nodemailer'
import sharp from 'sharp'
import { onTestFinished } from 'vitest'
import { encodeAbiParameters } from 'viem'
import { listContents } from '../../../lib/catalog/collections/reveal.ts'
import { newId } from '../../../lib/core/id.ts'
import { exportClaims } from '../../../lib/data/exports/export-claims.ts'
import { exportItems } from '../../../lib/data/exports/export-items.ts'
import { runImports } from '../../../lib/data/imports/run-imports.ts'
import { systemClient } from '../../../lib/db/client.ts'
import { openMailer } from '../../../lib/messaging/outbox/mailer.ts'
import { openMetadataReader } from '../../../lib/catalog/items/read-foreign-metadata.ts'
import { openDeliverer } from '../../../lib/messaging/webhooks/deliverer.ts'
import { withReadableForms } from '../../../lib/platform/http/page-forms.ts'
import { workerContext } from '../../../lib/platform/auth/authenticate.ts'
import type { DueWork } from '../../../lib/platform/jobs/due-work.ts'
import { mailLinks, pinMedia, storeItemImage } from '../../../lib/platform/jobs/jobs.ts'
import { sendOverSmtp } from '../../../lib/ports/mail/smtp.ts'
import { guardedPoster } from '../../../lib/ports/egress/guarded-poster.ts'
import { viemChain } from '../../../lib/ports/chain/viem-chain.ts'
import { kuboPinning } from '../../../lib/ports/storage/kubo.ts'
import { type Ports, ports, replacePorts } from '../../../lib/ports/ports.ts'
import { runJob } from '../../../lib/worker/run-jobs.ts'
import { asOwner } from '../as-owner.ts'
import { call, callerOf } from '../call.ts'
import { makeItem, sendClaim } from '../claims.ts'
import { ask } from '../front-door.ts'
import { recordTestEvent } from '../webhooks.ts'
import { startWebServer } from '../web-server.ts'
import { largestBlocks, listOf, TITLE, world } from './world.ts'

/** The jobs that it stands for, what it is, and how it is made ready: what that gives is measured, and may be done again. */
export type JobRow = [jobs: readonly string[], name: string, begin: () => Promise<() => Promise<unknown>>]

const LARGE = { title: TITLE, part: 'a'.repeat(64_000) }
const worker = () => workerContext('test')
const emptied = async (work: DueWork) => {
  while ((await work.begin()) > 0) await work.idle()
}
async function read(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) if (piece === '') throw new Error('An empty piece.')
}

/** Has ports of the process replaced until the test ends. */
function replaceForNow(given: Partial<Ports>): void {
  const before = ports()
  onTestFinished(() => replacePorts(before))
  replacePorts(given)
}

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
  await Promise.all(listOf(16, () => sendClaim(world.organization, { title: TITLE })))
}

/** Many items of a collection with the largest attributes. */
async function makeLargeItems(count: number): Promise<string> {
  const { collectionId } = await makeItem(world.organization)
  await systemClient().$executeRaw`
    INSERT INTO items (id, organization_id, collection_id, attributes, token_id, max_supply, locked_at, updated_at)
    SELECT gen_random_uuid(), ${world.organization.id}::uuid, ${collectionId}::uuid, ${JSON.stringify(LARGE)}::jsonb, n + 1, 1, now(), now()
    FROM generate_series(1, ${count}) n`
  return collectionId
}

/** A server of this process that answers by writing; returns its address. */
async function serve(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Tokens of a connected contract whose node gives this for each call: text, or as many zeros as are asked for. */
async function makeTokens(returned: string | { zeros: number }): Promise<() => Promise<unknown>> {
  const zeros = Buffer.alloc(1_000_000, 48)
  const url = await serve((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const { id, method } = JSON.parse(text) as { id: number; method: string }
      const reply = (result: unknown) => response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      if (method === 'eth_chainId') return reply('0x7a69')
      if (typeof returned === 'string') return reply(returned)
      response.write(`{"jsonrpc":"2.0","id":${id},"result":"0x`)
      for (let sent = 0; sent < returned.zeros; sent += zeros.length) response.write(zeros)
      response.end('"}')
    })
  })
  const { network } = ports().chains.get(31337)!
  replaceForNow({ chains: new Map([[network.id, viemChain(network, [url])]]) })
  const { collectionId } = await makeItem(world.organization)
  await asOwner(`
    UPDATE items SET metadata_due_at = NULL WHERE metadata_due_at IS NOT NULL;
    UPDATE collections SET deployment_type = 'EXTERNAL' WHERE id = '${collectionId}';
    UPDATE items SET metadata_due_at = now() - interval '1 hour' WHERE collection_id = '${collectionId}'`)
  return () => emptied(openMetadataReader(worker))
}
const inline = (document: object) =>
  encodeAbiParameters([{ type: 'string' }], [`data:application/json,${JSON.stringify(document)}`])

const drawn = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } }).png()

/** The worst that jobs find of what tenants wrote, and answers that are made like them. */
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
    ['export of items'],
    'many large items',
    async () => {
      const collectionId = await makeLargeItems(300)
      return () => read(exportItems(world.organization.ctx, { collection_id: collectionId } as never)) // the query's other fields have defaults
    },
  ],
  [
    ['export of claims'],
    'many claims of a large item',
    async () => {
      const { itemId, collectionId } = await makeItem(world.organization, {
        tokenType: 'ERC1155',
        maxSupply: 999n,
        attributes: LARGE,
      })
      await systemClient().emailClaim.createMany({
        data: listOf(900, (at) => ({
          id: newId(),
          organizationId: world.organization.id,
          collectionId,
          itemId,
          email: `${at}@birds.example`,
          quantity: 1n,
          txPayer: 'SELLER' as const,
        })),
      })
      return () => read(exportClaims(world.organization.ctx, { item_id: itemId } as never))
    },
  ],
  [
    ['reveal'],
    'many large items',
    async () => {
      const collectionId = await makeLargeItems(300)
      return () => listContents(world.organization.ctx, collectionId)
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
    ['read foreign metadata'],
    'a document of many properties',
    () => makeTokens(inline({ properties: Object.fromEntries(listOf(55_000, (at) => [`p${at}`, 1])) })),
  ],
  [
    ['read foreign metadata'],
    'a document of a long list',
    () => makeTokens(inline({ properties: { a: listOf(400_000, () => 1) } })),
  ],
  [['read foreign metadata'], 'a contract that returns 64 MB', () => makeTokens({ zeros: 64_000_000 })],
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
  [
    ['forms of pages'],
    'a form of many fields',
    () => formRow(listOf(12_000, (at) => `--x\r\nContent-Disposition: form-data; name="f${at}"\r\n\r\n\r\n`).join('')),
  ],
  [
    ['forms of pages'],
    'a form with a long list',
    () => formRow(`--x\r\nContent-Disposition: form-data; name="0"\r\n\r\n[${'1,'.repeat(400_000)}1]\r\n`),
  ],
]

async function formRow(parts: string): Promise<() => Promise<unknown>> {
  const { url } = await startWebServer(withReadableForms(async (_, response) => void response.end()))
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'next-action': 'a'.repeat(42) }
  return () => ask(`${url}/sign-in`, { method: 'POST', headers, body: `${parts}--x--\r\n` })
}

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
