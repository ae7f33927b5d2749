'use client'

import { useSearchParams } from 'next/navigation'
import type { Address } from 'viem'
import { checkTypedAddress } from './typed-address'

/** What the wallet's page shows, as its own address says: `address` is looked at where no wallet is open. */
export type Place = {
  address: Address | null
  item: string | null
  /** The item is being sent. */
  sends?: boolean
}

/** The page's address for a place. */
export function walletPath({ address, item, sends }: Place): string {
  const query = new URLSearchParams({
    ...(item && { item, ...(sends && { send: '1' }) }),
    ...(address && { address }),
  }).toString()
  return query ? `/wallet?${query}` : '/wallet'
}

/** Where the page is, also after the browser's back button. */
export function usePlace(): Place {
  const query = useSearchParams()
  const checked = checkTypedAddress(query.get('address') ?? '')
  return { address: checked.ok ? checked.address : null, item: query.get('item'), sends: query.has('send') }
}

/** Goes to a place without loading anything, so that an open wallet stays open. */
export const goTo = (place: Place): void => history.pushState(null, '', walletPath(place))
