import { TextLink } from '@/components/ui/text-link'
import { Fact, Facts } from '@/components/ui/facts'

type Hold = { id: string; holder_type: keyof typeof HOLDERS; holder_id: string; quantity: bigint }

const HOLDERS = {
  CLAIM: 'Email claim',
  LISTING: 'Listing',
  PURCHASE: 'Purchase',
  MINT_REQUEST: 'Mint request',
  ESCROW: 'Holder’s transfer to a mailbox',
} as const
const PATHS = {
  CLAIM: '/dashboard/claims',
  LISTING: '/dashboard/listings',
  PURCHASE: '/dashboard/purchases',
  MINT_REQUEST: '/dashboard/mint-requests',
  ESCROW: null,
} as const

/** The holds on an item, each linking to its holder. `here` is the holder whose page this is. */
export function Holds({ holds, here }: { holds: readonly Hold[]; here?: string }) {
  if (holds.length === 0) return null
  return (
    <Facts>
      {holds.map(({ id, holder_type: type, holder_id: holder, quantity }) => (
        <Fact key={id} name={`${quantity.toLocaleString('en')} held by`}>
          {holder === here ? 'This listing' : <HolderName type={type} id={holder} />}
        </Fact>
      ))}
    </Facts>
  )
}

function HolderName({ type, id }: { type: keyof typeof HOLDERS; id: string }) {
  const path = PATHS[type]
  return path === null ? HOLDERS[type] : <TextLink href={`${path}/${id}`}>{HOLDERS[type]}</TextLink>
}
