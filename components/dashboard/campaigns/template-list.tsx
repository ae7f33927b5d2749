import Link from 'next/link'
import { ChevronRight } from 'lucide-react'
import type { EditableType } from '@/lib/platform/api/email-templates'
import { Badge } from '@/components/ui/badge'
import { RelativeTime } from '@/components/ui/relative-time'
import { SOURCE_WORDS, TEMPLATE_NAMES, templatePath } from './template-labels'

type InUse = {
  template_type: EditableType
  source: keyof typeof SOURCE_WORDS
  subject: string
  version: number | null
  updated_at: Date | null
}

const ORDER = Object.keys(TEMPLATE_NAMES)

/** The mails, and whose template each uses. */
export function TemplateList({ templates, campaignId }: { templates: InUse[]; campaignId: string | null }) {
  const sorted = templates.toSorted(
    (one, other) => ORDER.indexOf(one.template_type) - ORDER.indexOf(other.template_type),
  )
  return (
    <ul className="divide-y">
      {sorted.map(({ template_type: type, source, subject, version, updated_at }) => (
        <li key={type}>
          <Link
            href={templatePath(type, { campaign_id: campaignId, locale: null })}
            className="group flex items-center gap-4 px-5 py-4 hover:bg-well/60 sm:px-6"
          >
            <span className="grid min-w-0 grow gap-1">
              <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <span className="font-medium">{TEMPLATE_NAMES[type].title}</span>
                <Badge tone={source === 'PLATFORM' ? 'neutral' : 'info'}>{SOURCE_WORDS[source]}</Badge>
              </span>
              <span className="text-sm text-muted">{TEMPLATE_NAMES[type].when}</span>
              <span className="text-sm wrap-anywhere">{subject}</span>
              {updated_at && (
                <span className="text-sm text-muted">
                  Version {version}, <RelativeTime at={updated_at} />
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
