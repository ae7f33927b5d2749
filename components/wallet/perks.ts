import type { Answer } from '@/lib/platform/api/endpoint'
import type * as perks from '@/lib/platform/api/perks'
import { fetchOrUnreachable, jsonIn, requestOf } from '@/packages/client/src/call'
import { api, route } from '../shared/api'
import { downloadBlob } from '../shared/download'
import type { Holder } from './items'

const openRoute = route<typeof perks.openPerks>('POST', '/public/v1/wallets/{eth_address}/items/{item_id}/perks')
const takeRoute = route<typeof perks.takePerkCodes>(
  'POST',
  '/public/v1/wallets/{eth_address}/items/{item_id}/perks/{perk_id}/codes',
)
const fileRoute = route<typeof perks.downloadPerkFile>(
  'GET',
  '/public/v1/wallets/{eth_address}/items/{item_id}/perks/{perk_id}/file',
)

export type HeldPerks = Answer<typeof perks.openPerks>
export type HeldPerk = HeldPerks['results'][number]
/** Whoever has proved that the address is theirs. */
export type ProvedHolder = Holder & { proof: string }

const placeOf = ({ address }: ProvedHolder, itemId: string) => ({ eth_address: address, item_id: itemId })

export const openPerks = (holder: ProvedHolder, itemId: string): Promise<HeldPerks> =>
  api(openRoute, { params: placeOf(holder, itemId), body: { proof: holder.proof } })

export const takeCodes = (holder: ProvedHolder, itemId: string, perkId: string): Promise<HeldPerk> =>
  api(takeRoute, { params: { ...placeOf(holder, itemId), perk_id: perkId }, body: { proof: holder.proof } })

export async function saveFile(holder: ProvedHolder, itemId: string, { id, file }: HeldPerk): Promise<void> {
  const params = { ...placeOf(holder, itemId), perk_id: id }
  const response = await fetchOrUnreachable(...requestOf(fileRoute, { params, query: { proof: holder.proof } }))
  if (!response.ok) await jsonIn(response)
  downloadBlob(file!.name, await response.blob())
}
