import { giveGifts, type Gifts, makeCollection } from './gifts.ts'
import { holdAndSend } from './holders.ts'
import { fill, furnish, receiveEvents, reveal } from './rest.ts'
import { sell, sendVoucher } from './sales.ts'
import { apiOf, type Sandbox } from './sandbox.ts'

/**
 * Does something of every kind through a sandbox's API, with its worker, chain and card provider. Throws at the first
 * thing that fails.
 */
export async function playStories(sandbox: Sandbox): Promise<Gifts> {
  const api = apiOf(sandbox.origin, sandbox.api_key)
  const closeReceiver = await receiveEvents(api)
  await fetch(sandbox.sign_in_url, { redirect: 'manual' }) // a session
  const campaignId = await furnish(api, sandbox)
  const collectionId = await makeCollection(api, sandbox, 'Fixture')
  const editionsId = await makeCollection(api, sandbox, 'Fixture editions', {}, 'ERC1155')
  const heldId = await makeCollection(api, sandbox, 'Fixture held')
  const giveAndSell = async (): Promise<Gifts> => {
    const gifts = await giveGifts(api, sandbox, collectionId, campaignId)
    await sendVoucher(sandbox, gifts.vouchers.at(-1))
    await fill(api, collectionId)
    await sell(api, sandbox, await makeCollection(api, sandbox, 'Fixture pool'), editionsId)
    await reveal(api, sandbox, (name, more) => makeCollection(api, sandbox, name, more))
    return gifts
  }
  // A holder waits for a final block meanwhile.
  const [gifts] = await Promise.all([giveAndSell(), sandbox.isBesideFirst || holdAndSend(api, sandbox, heldId)])
  closeReceiver()
  return gifts
}
