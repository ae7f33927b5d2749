const placeOf = (id: string) => `vitrine.purchase.${id}`

/** The purchase's secret: behind the # of the address; after a visit to the bank, as this tab kept it. */
export function keptSecret(id: string): string | null {
  const written = decodeURIComponent(location.hash.slice(1))
  if (written) return written
  try {
    return sessionStorage.getItem(placeOf(id))
  } catch {
    return null
  }
}

/** Kept for as long as this tab lives, so that the bank needn't be told an address with the secret in it. Puts it back there. */
export function keepSecret(id: string, secret: string): void {
  try {
    sessionStorage.setItem(placeOf(id), secret)
  } catch {
    // Storage is forbidden here: whoever comes back from the bank opens the link once more.
  }
  const { pathname, search, hash } = location
  const query = new URLSearchParams(search)
  for (const name of ['payment_intent', 'payment_intent_client_secret', 'redirect_status']) query.delete(name)
  const clean = `${pathname}${query.size ? `?${query}` : ''}#${secret}`
  if (clean !== pathname + search + hash) history.replaceState(history.state, '', clean)
}
