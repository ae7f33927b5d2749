import { Link } from '@/components/ui/link'
import { useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { Sentence } from '@/components/ui/sentence'
import { Time } from '@/components/ui/time'

type Version = { version: number; subject: string; created_at: Date; author: string | null }

/** Earlier versions, which can be opened again. */
export function TemplateVersions({
  versions,
  pathOf,
  shown,
}: {
  versions: Version[]
  pathOf: (query: Record<string, string>) => string
  /** The version in the editor. */
  shown: number | null
}) {
  const t = useTranslations('dashboard.campaigns.templates')
  if (versions.length === 0) return null
  const newest = versions[0]!.version
  return (
    <section className="rounded-lg border bg-pane">
      <h2 className="px-5 pt-4 pb-3 font-medium">{t('versions')}</h2>
      <ol className="divide-y border-t">
        {versions.map(({ version, subject, created_at, author }) => (
          <li key={version} className="flex items-center justify-between gap-4 px-5 py-2.5 text-sm">
            <span className="grid min-w-0 gap-0.5">
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="font-medium">{t('version', { version })}</span>
                {version === newest && <Badge tone="positive">{t('inUse')}</Badge>}
                {version === shown && version !== newest && <Badge tone="info">{t('inEditor')}</Badge>}
              </span>
              <span className="text-muted wrap-anywhere">{subject}</span>
              <span className="text-muted">
                <Time at={created_at} />
                {author && <span className="wrap-anywhere">{` ${t('by', { author })}`}</span>}
              </span>
            </span>
            {version !== shown && (
              <Link
                href={pathOf(version === newest ? {} : { version: String(version) })}
                className={
                  'inline-flex min-h-8 shrink-0 items-center rounded-md border border-edge px-3 font-medium ' +
                  'hover:border-ink hover:bg-well'
                }
              >
                <Sentence>
                  {t.rich(version === newest ? 'backTo' : 'useAgain', {
                    version,
                    more: (text) => <span className="sr-only">{text}</span>,
                  })}
                </Sentence>
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
