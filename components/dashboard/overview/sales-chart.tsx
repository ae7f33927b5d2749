import { useTranslations } from 'next-intl'
import { type Point, SalesBars } from './sales-bars'

/** Sales over time as bars, and the same figures as a table. */
export function SalesChart({ name, points }: { name: string; points: Point[] }) {
  const t = useTranslations('dashboard.overview.chart')
  return (
    <figure className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <SalesBars points={points} />
      <details className="text-sm">
        <summary className="w-fit rounded-sm text-muted hover:text-ink">{t('table')}</summary>
        <div
          tabIndex={0}
          role="region"
          aria-label={t('region', { name })}
          className="mt-3 max-h-80 overflow-auto rounded-md border"
        >
          <table className="w-full border-collapse text-left">
            <caption className="sr-only">{name}</caption>
            <thead>
              <tr>
                <th scope="col" className="border-b px-4 py-2 font-medium">
                  {t('from')}
                </th>
                <th scope="col" className="border-b px-4 py-2 text-right font-medium">
                  {name}
                </th>
              </tr>
            </thead>
            <tbody>
              {points.map(({ start, label, text }) => (
                <tr key={start} className="border-b last:border-b-0">
                  <th scope="row" className="px-4 py-1.5 font-normal">
                    <time dateTime={start}>{label}</time>
                  </th>
                  <td className="px-4 py-1.5 text-right tabular-nums">{text}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}
