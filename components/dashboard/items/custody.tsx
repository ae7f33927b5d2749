import { ChainLink } from '@/components/dashboard/items/chain-link'

/** A note that one of our operators has the token. `reachable`: that operator's key is configured. */
export function CustodyNote({
  by,
  held,
  reachable,
  explorerUrl,
}: {
  by: string
  held: boolean
  reachable: boolean
  explorerUrl: string | null
}) {
  return (
    <p className="text-sm text-muted">
      Minted and with us, {held ? 'promised to somebody' : 'ready to be given'}: our operator{' '}
      <ChainLink value={by} kind="address" explorerUrl={explorerUrl} /> has the token and hands it over.
      {!reachable &&
        ' That operator’s key isn’t configured any more: until it is, or has sent the token to one that is, nothing more is promised of it and what is promised waits.'}
    </p>
  )
}
