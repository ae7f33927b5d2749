/** The ledger of an item at a glance. `free` null: there is no limit. */
export function StockBar({ minted, held, free }: { minted: bigint; held: bigint; free: bigint | null }) {
  const parts = [
    { name: 'On the chain', units: minted, look: 'bg-glass' },
    { name: 'Held', units: held, look: 'bg-warn' },
    { name: 'Free', units: free, look: 'bg-line' },
  ]
  const total = Number(minted + held + (free ?? 0n)) || 1
  return (
    <div className="grid gap-3">
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="h-2 w-full overflow-hidden rounded-full bg-line">
        <rect width={(Number(minted) / total) * 100} height="4" className="fill-glass" />
        <rect x={(Number(minted) / total) * 100} width={(Number(held) / total) * 100} height="4" className="fill-warn" />
      </svg>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {parts.map(({ name, units, look }) => (
          <li key={name} className="flex items-center gap-2">
            <span aria-hidden="true" className={`size-2.5 rounded-full ${look}`} />
            <span className="text-muted">{name}</span> {units === null ? 'no limit' : units.toLocaleString('en')}
          </li>
        ))}
      </ul>
    </div>
  )
}
