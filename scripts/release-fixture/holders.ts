import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { makeItems } from './gifts.ts'
import { type Answer, type Api, apiOf, type Sandbox, until } from './sandbox.ts'

const RECIPIENT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/**
 * What 0.1.0 doesn't have: words in other languages, perks whose codes a holder takes, and tokens that the holder sends
 * by signature, to an address and to a mailbox.
 */
export async function holdAndSend(api: Api, sandbox: Sandbox, collectionId: string): Promise<void> {
  const { origin, mark, chain_id } = sandbox
  const anyone = apiOf(origin)
  // A holder of its own: each may send three tokens a day.
  const holder = privateKeyToAccount(generatePrivateKey())
  const titles = ['Held', 'Sent', 'Sent by mail']
  const itemIds = await makeItems(api, collectionId, titles)
  await api.patch('/v1/email-words', {
    words: { de: { 'mail.gift.subject': '{organization_name} hat „{item_title}“ für Sie' } },
    glossary: ['Fixture'],
  })
  await api.post('/v1/items', {
    collection_id: collectionId,
    attributes: { title: 'Moonflower' },
    translations: { de: { title: 'Mondblume' } },
  })
  const [translated] = await makeItems(api, collectionId, ['In German'])
  await api.post('/v1/email-claims', { email: `german-${mark}@recipients.example`, item_id: translated, locale: 'de' })
  await api.put(`/v1/transfer-budgets/${chain_id}`, { daily_wei: '1000000000000000000' })

  await api.post('/v1/perks', { item_id: itemIds[0], title: 'A letter', text: 'Dear holder' })
  const codes = [1, 2, 3].map((code) => `SEAT-${mark}-${code}`)
  const { id: perkId } = await api.post('/v1/perks', { collection_id: collectionId, title: 'A seat', codes })
  for (const item_id of itemIds) await api.post('/v1/mint-requests', { item_id, to_address: holder.address })
  const tokens: Answer[] = []
  for (const itemId of itemIds)
    tokens.push(
      await until(
        `The mint of ${itemId}`,
        () => api.get(`/v1/items/${itemId}`),
        ({ token_status }) => token_status === 'MINTED',
      ),
    )

  const wallet = `/public/v1/wallets/${holder.address}`
  const { message, challenge } = await anyone.post(`${wallet}/challenge`, {})
  const { proof } = await anyone.post(`${wallet}/proof`, {
    challenge,
    signature: await holder.signMessage({ message }),
  })
  const perks = `${wallet}/items/${itemIds[0]}/perks`
  await until(
    'The perks of an item that is final',
    () => anyone.post(perks, { proof }),
    ({ state }) => state === 'HELD',
  )
  await anyone.post(`${perks}/${perkId}/codes`, { proof })

  const terms = (token_id: string, more: object): Promise<Answer> => {
    const query = { collection_id: collectionId, token_id, from_address: holder.address, ...more }
    return anyone.get(`/public/v1/transfer-terms?${new URLSearchParams(query)}`)
  }
  const send = async (token_id: string, to_address: string, more: object = {}): Promise<string> => {
    const { typed_data } = await terms(token_id, { to_address })
    const { nonce, deadline } = typed_data.message
    const signature = await holder.signTypedData(typed_data)
    const signed = { collection_id: collectionId, token_id, from_address: holder.address, to_address }
    return (await anyone.post('/public/v1/transfers', { ...signed, nonce, deadline, signature, ...more })).id
  }
  const { signed, escrow } = await terms(tokens[2].token_id, {})
  if (!signed) return // contracts of 0.1.0 take no signed transfers
  const sent = await send(tokens[1].token_id, RECIPIENT)
  const mailed = await send(tokens[2].token_id, escrow.to_address, { email: `escrow-${mark}@recipients.example` })
  const transfer = (id: string) => () => anyone.get(`/public/v1/transfers/${id}`)
  await until('A transfer', transfer(sent), ({ state }) => state === 'COMPLETED')
  await until('A token for a mailbox', transfer(mailed), (made) => made.escrow.state === 'HELD')
}
