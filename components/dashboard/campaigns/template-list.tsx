import { Link } from '@/components/ui/link'
import { useTranslations } from 'next-intl'
import { ChevronRight } from 'lucide-react'
import type { EditableType, TEMPLATE_SOURCES } from '@/lib/platform/api/email-templates'
import { Badge } from '@/components/ui/badge'
import { RelativeTime } from '@/components/ui/relative-time'
import { Sentence } from '@/components/ui/sentence'
import { templatePath } from './template-paths'

type InUse = {
  template_type: EditableType
  source: (typeof TEMPLATE_SOURCES)[number]
  subject: string
  version: number | null
  updated_at: Date | null
}

const ORDER = [
  'REDEEM_NFT',
  'CLAIM_PINCODE',
  'CLAIMED_NFT',
  'CLAIM_REMINDER',
  'RECEIPT',
  'REFUND',
] as const satisfies readonly EditableType[]

/** The mails, and whose template each uses. */
export function TemplateList({ templates, campaignId }: { templates: InUse[]; campaignId: string | null }) {
  const t = useTranslations('dashboard.campaigns.templates')
  const sorted = templates.toSorted(
    (one, other) => ORDER.indexOf(one.template_type) - ORDER.indexOf(other.template_type),
  )
  return (
    <ul className="divide-y">
      {sorted.map(({ template_type: type, source, subject, version, updated_at }) => (
        <li key={type}>
          <Link
            href={templatePath(type, { campaign_id: campaignId })}
            className="group flex items-center gap-4 px-5 py-4 hover:bg-well/60 sm:px-6"
          >
            <span className="grid min-w-0 grow gap-1">
              <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <span className="font-medium">{t(`types.${type}.title`)}</span>
                <Badge tone={source === 'PLATFORM' ? 'neutral' : 'info'}>{t(`sources.${source}`)}</Badge>
              </span>
              <span className="text-sm text-muted">{t(`types.${type}.when`)}</span>
              <span className="text-sm wrap-anywhere">{subject}</span>
              {updated_at && version !== null && (
                <span className="text-sm text-muted">
                  <Sentence>
                    {t.rich('versionAt', { version, moment: () => <RelativeTime at={updated_at} /> })}
                  </Sentence>
                </span>
              )}
            </span>
            <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted group-hover:text-ink" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
