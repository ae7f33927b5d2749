import { ChainLink } from '@/components/ui/chain-link'

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
      Minted and in custody, {held ? 'held for somebody' : 'ready to be given'}: our operator{' '}
      <ChainLink value={by} kind="address" explorerUrl={explorerUrl} /> has the token and hands it over.
      {!reachable &&
        ' That operator’s key isn’t configured any more. Until it is configured again, or the token is with an operator whose key is, the item can’t be given and whatever holds it waits.'}
    </p>
  )
}
