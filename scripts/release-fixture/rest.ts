import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeItems } from './gifts.ts'
import { type Api, type Sandbox, until } from './sandbox.ts'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const RECIPIENT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/**
 * A webhook of which every second post is refused. It must exist before what it is told of. Returns what closes its
 * receiver.
 */
export async function receiveEvents(api: Api): Promise<() => void> {
  let posts = 0
  const receiver = createServer((_request, response) => void response.writeHead(++posts % 2 === 0 ? 500 : 204).end())
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { id } = await api.post('/v1/webhooks', {
    name: 'Fixture',
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`,
  })
  await api.post(`/v1/webhooks/${id}/rotate-secret`, {})
  await api.post(`/v1/webhooks/${id}/test`, {}).catch(() => undefined) // the receiver refuses it
  return () => receiver.close()
}

/** Campaign with words of its own, members, keys, item types, media and mail settings. Returns the campaign's id. */
export async function furnish(api: Api, { mark, isBesideFirst }: Sandbox): Promise<string> {
  const { id: campaignId } = await api.post('/v1/marketing-campaigns', { name: `Spring ${mark}`, reminder_days: 2 })
  const { results: templates } = await api.get(`/v1/email-templates?campaign_id=${campaignId}`)
  const { template_type } = templates[0] as { template_type: string }
  const { variables } = await api.get(`/v1/email-templates/${template_type}/variables`)
  const needed = (variables as { name: string; required: boolean }[]).filter(({ required }) => required)
  const text = `Here it is: ${needed.map(({ name }) => `{{${name}}}`).join(' ')}`
  const words = { subject: 'For you', text, format: 'HTML', body: `<p>${text}</p>` }
  const save = (url: string, body: object) =>
    api.put(url, body).catch((error: unknown) => {
      if (!isBesideFirst) throw error // 0.1.0 can't save templates beside this version (docs/releases)
    })
  await save(`/v1/email-templates/${template_type}?campaign_id=${campaignId}`, words)
  await save(`/v1/email-templates/${template_type}`, { ...words, subject: 'From us' })
  const invite = (role: string) => api.post('/v1/members', { email: `editor-${mark}@members.example`, role })
  // Later releases let no TEST key make editors.
  const { id: memberId } = await invite('EDITOR').catch(() => invite('VIEWER'))
  // Not every release has this role.
  await api.patch(`/v1/members/${memberId}`, { role: 'VIEWER' }).catch(() => undefined)
  const { id: keyId } = await api.post('/v1/api-keys', { name: 'Revoked', permissions: ['items:read'] })
  await api.delete(`/v1/api-keys/${keyId}`)
  await api.post('/v1/item-types', {
    name: `Bird ${mark}`,
    schema: {
      type: 'object',
      required: ['title'],
      properties: { title: { type: 'string' }, wingspan: { type: 'integer' } },
    },
  })
  await api.post('/v1/media', { file: { name: 'pixel.png', base64: PIXEL } })
  const { total_results } = await api.get('/v1/email-integrations')
  if (total_results === 0)
    await api.post('/v1/email-integrations', {
      provider: 'CUSTOM_SMTP',
      config: {
        email_from: 'Fixture <drops@gallery.example>',
        username: 'drops',
        password: 'secret',
        host: 'smtp.gallery.example',
      },
    })
  return campaignId
}

/** Imports judged, run and cancelled; mints; a revealed collection's items; all of them in the audit log. */
export async function fill(api: Api, collectionId: string): Promise<void> {
  const csv = 'title,series\nImported one,Fixture\nImported two,Fixture\n,Fixture\n'
  const { id: judged } = await api.post('/v1/items/import', { collection_id: collectionId, csv, dry_run: true })
  await api.post(`/v1/imports/${judged}/cancel`, {})
  await api.post('/v1/items/import', { collection_id: collectionId, csv, dry_run: true })
  const { id: run } = await api.post('/v1/items/import', {
    collection_id: collectionId,
    csv,
    dry_run: false,
    skip_invalid: true,
  })
  await until(
    'An import',
    () => api.get(`/v1/imports/${run}`),
    ({ state }) => state === 'COMPLETED',
  )
  const [minted, claimed] = await makeItems(api, collectionId, ['Minted', 'Claimed by import'])
  const { mint_requests } = await api.post('/v1/mint-requests', { item_id: minted, to_address: RECIPIENT })
  await until(
    'A mint',
    () => api.get(`/v1/items/${minted}`),
    ({ token_status }) => token_status === 'MINTED',
  )
  await api.get(`/v1/mint-requests/${mint_requests[0].transaction_id}`)
  const claims = await api.post('/v1/email-claims/import', {
    item_id: claimed,
    csv: `email\nimported-${crypto.randomUUID()}@recipients.example\n`,
    dry_run: false,
  })
  await until(
    'An import of claims',
    () => api.get(`/v1/imports/${claims.id}`),
    ({ state }) => state === 'COMPLETED',
  )
}

/** A collection whose items were hidden and revealed, and one that is still hidden. */
export async function reveal(
  api: Api,
  { isBesideFirst }: Sandbox,
  make: (name: string, more: object) => Promise<string>,
): Promise<void> {
  const open = (id: string, tries: number): Promise<unknown> =>
    api.post(`/v1/collections/${id}/reveal`, {}).catch((error: unknown) => {
      if (!isBesideFirst || tries === 0) throw error
      // 0.1.0 can't open what this version has sealed (docs/releases). Another process answers next.
      return open(id, tries - 1)
    })
  for (const name of ['Revealed', 'Hidden']) {
    const id = await make(name, { reveal_strategy: 'DELAYED', preview_metadata: { title: 'Not yet' } })
    await makeItems(api, id, ['one', 'two', 'three'])
    if (name === 'Revealed') await open(id, 5)
  }
}
