'use client'

import { useSearchParams } from 'next/navigation'
import type { Address } from 'viem'
import { checkTypedAddress } from './typed-address'

/** The place in the wallet that its page's address names. `address`: the one to look at where no wallet is open. */
export type Place = {
  address: Address | null
  item: string | null
  /** The item is being sent. */
  sends?: boolean
}

/**
 * The parameters that stay in the page's address from place to place: whose page led here, and a language that was
 * asked for.
 */
const KEPT = ['from', 'lang']

/** The page's address for a place. In the browser only. */
export function walletPath({ address, item, sends }: Place): string {
  const query = new URLSearchParams({
    ...(item && { item, ...(sends && { send: '1' }) }),
    ...(address && { address }),
  })
  const before = new URLSearchParams(location.search)
  for (const name of KEPT) for (const value of before.getAll(name)) query.append(name, value)
  return query.size > 0 ? `/wallet?${query}` : '/wallet'
}

/** Where the page is, also after the browser's back button. */
export function usePlace(): Place {
  const query = useSearchParams()
  const checked = checkTypedAddress(query.get('address') ?? '')
  return { address: checked.ok ? checked.address : null, item: query.get('item'), sends: query.has('send') }
}

/** Goes to a place without loading anything, so that an open wallet stays open. */
export const goTo = (place: Place): void => history.pushState(null, '', walletPath(place))
