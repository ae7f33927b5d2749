import { useFormatter, useTranslations } from 'next-intl'
import { TextLink } from '@/components/ui/text-link'
import { Fact, Facts } from '@/components/ui/facts'

type HolderType = keyof typeof PATHS
type Hold = { id: string; holder_type: HolderType; holder_id: string; quantity: bigint }

const PATHS = {
  CLAIM: '/dashboard/claims',
  LISTING: '/dashboard/listings',
  PURCHASE: '/dashboard/purchases',
  MINT_REQUEST: '/dashboard/mint-requests',
  ESCROW: null,
  ARRIVAL: null,
} as const

/** The holds on an item, each linking to its holder. `here` is the holder whose page this is. */
export function Holds({ holds, here }: { holds: readonly Hold[]; here?: string }) {
  const t = useTranslations('dashboard.items.holds')
  const format = useFormatter()
  if (holds.length === 0) return null
  return (
    <Facts>
      {holds.map(({ id, holder_type: type, holder_id: holder, quantity }) => (
        <Fact key={id} name={t('by', { count: format.number(quantity) })}>
          {holder === here ? t('here') : <HolderName type={type} id={holder} />}
        </Fact>
      ))}
    </Facts>
  )
}

function HolderName({ type, id }: { type: HolderType; id: string }) {
  const t = useTranslations('dashboard.items.holds')
  const path = PATHS[type]
  const name = t(`types.${type}`)
  return path === null ? <span>{name}</span> : <TextLink href={`${path}/${id}`}>{name}</TextLink>
}
