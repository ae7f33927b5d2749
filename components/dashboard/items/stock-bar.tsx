import { useFormatter, useTranslations } from 'next-intl'

type Part = { name: string; /** null: no limit. */ units: bigint | null }

const LOOKS = ['bg-glass', 'bg-warn', 'bg-line']

/** Units in three parts: given, held and left. */
export function UnitsBar({ parts }: { parts: [Part, Part, Part] }) {
  const t = useTranslations('dashboard.items')
  const format = useFormatter()
  const [gone, promised] = parts.map(({ units }) => Number(units ?? 0n))
  const total = parts.reduce((sum, { units }) => sum + Number(units ?? 0n), 0) || 1
  const share = (units = 0) => (units / total) * 100
  return (
    <div className="grid gap-3">
      <svg
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-2 w-full overflow-hidden rounded-full bg-line"
      >
        <rect width={share(gone)} height="4" className="fill-glass" />
        <rect x={share(gone)} width={share(promised)} height="4" className="fill-warn" />
      </svg>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {parts.map(({ name, units }, at) => (
          <li key={name} className="flex items-center gap-2">
            <span aria-hidden="true" className={`size-2.5 rounded-full ${LOOKS[at]}`} />
            <span className="text-muted">{name}</span>
            <span>{units === null ? t('stock.noLimit') : format.number(units)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/**
 * The units of an item. `inCustody` of the minted ones are with our operators and can be given again. `free` null: no
 * limit.
 */
export function StockBar({
  minted,
  inCustody,
  held,
  free,
}: {
  minted: bigint
  inCustody: bigint
  held: bigint
  free: bigint | null
}) {
  const t = useTranslations('dashboard.items')
  return (
    <UnitsBar
      parts={[
        { name: inCustody > 0n ? t('stock.withOthers') : t('stock.onChain'), units: minted - inCustody },
        { name: t('stock.held'), units: held },
        { name: t('stock.free'), units: free },
      ]}
    />
  )
}
