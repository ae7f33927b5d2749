import { Link } from '@/components/ui/link'
import { useFormatter } from 'next-intl'

type Count = { href: string; name: string; count: number; note: string }

/** Totals, each linking to its list. */
export function OverviewCounts({ counts }: { counts: Count[] }) {
  const format = useFormatter()
  return (
    <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line shadow-rest lg:grid-cols-4">
      {counts.map(({ href, name, count, note }) => (
        <li key={name} className="bg-pane">
          <Link
            href={href}
            className="grid h-full content-start gap-1 p-4 transition-colors -outline-offset-2 hover:bg-well sm:p-5"
          >
            <span className="label-caps wrap-anywhere text-muted">{name}</span>
            <span className="text-3xl font-medium tabular-nums">{format.number(count)}</span>
            <span className="text-sm text-muted">{note}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
