const storedName = (id: string) => `vitrine.purchase.${id}`

/**
 * The purchase's secret: behind the # of the address, or stored by this tab when the bank sent the buyer back without
 * it.
 */
export function readSecret(id: string): string | null {
  return decoded(location.hash.slice(1)) || readStoredSecret(id)
}

/** Empty for a broken link. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** The secret that this tab stored when it opened the purchase. */
export function readStoredSecret(id: string): string | null {
  try {
    return sessionStorage.getItem(storedName(id))
  } catch {
    return null
  }
}

/**
 * Stores the secret for this tab, so that the return address given to the bank doesn't contain it, and restores the
 * page's address.
 */
export function storeSecret(id: string, secret: string): void {
  try {
    sessionStorage.setItem(storedName(id), secret)
  } catch {
    // Storage is forbidden: after the bank, the buyer has to open the purchase's link again.
  }
  const { pathname, search, hash } = location
  const query = new URLSearchParams(search)
  for (const name of ['payment_intent', 'payment_intent_client_secret', 'redirect_status']) query.delete(name)
  const clean = `${pathname}${query.size ? `?${query}` : ''}#${secret}`
  if (clean !== pathname + search + hash) history.replaceState(history.state, '', clean)
}
