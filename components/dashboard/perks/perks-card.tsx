import { useLocale, useTranslations } from 'next-intl'
import type { z } from 'zod'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { TextLink } from '@/components/ui/text-link'
import type { perk } from '@/lib/platform/api/perks'
import type { FormAction } from '@/lib/platform/api/form-action'
import { sizeOf } from '../forms/upload'
import { AddCodes } from './add-codes'
import { AddPerk, EditPerk, type PerkPlace } from './perk-form'

type Perk = z.output<typeof perk>

type Props = {
  perks: readonly Perk[]
  place: PerkPlace
  /** Why there can be none. */
  obstacle?: string | null
  /** null: the member may not change them. */
  deletion: ((perkId: string) => FormAction) | null
  change: (perkId: string) => FormAction
}

/** The perks for holders of an item, or of any item of a collection. */
export function PerksCard({ perks, place, obstacle = null, deletion, change }: Props) {
  const t = useTranslations('dashboard.perks')
  const mayWrite = deletion !== null
  return (
    <Card
      title={t('title')}
      description={'item_id' in place ? t('ofItem') : t('ofCollection')}
      actions={mayWrite && !obstacle && <AddPerk place={place} />}
    >
      {perks.length === 0 ? (
        <p className="text-sm text-muted">{obstacle ?? t('none')}</p>
      ) : (
        <ul className="grid gap-5">
          {perks.map((one) => (
            <li key={one.id} className="grid gap-2 border-l-2 border-glass pl-4">
              <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                <h3 dir="auto" className="min-w-0 font-medium wrap-anywhere">
                  {one.title}
                </h3>
                {!one.is_public && <Badge>{t('notAnnounced')}</Badge>}
                {'item_id' in place && one.item_id === null && <Badge>{t('inherited')}</Badge>}
              </div>
              <What perk={one} />
              <div className="flex flex-wrap items-center gap-2">
                {one.codes && (
                  <TextLink href={`/dashboard/perks/${one.id}`} className="text-sm">
                    {t('whoGot')}
                  </TextLink>
                )}
                {mayWrite && one.codes && <AddCodes perkId={one.id} title={one.title} />}
                {mayWrite && (
                  <EditPerk
                    action={change(one.id)}
                    perk={{ id: one.id, title: one.title, isPublic: one.is_public, text: one.text, url: one.url }}
                  />
                )}
                {deletion && (
                  <ConfirmAction
                    action={deletion(one.id)}
                    trigger={
                      <Button size="sm" variant="danger">
                        {t('delete.action')}
                      </Button>
                    }
                    title={t('delete.title', { title: one.title })}
                    description={
                      one.codes && one.codes.given > 0
                        ? t('delete.textGiven', { given: one.codes.given })
                        : t('delete.text')
                    }
                    confirm={t('delete.confirm')}
                  />
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function What({ perk }: { perk: Perk }) {
  const t = useTranslations('dashboard.perks')
  const locale = useLocale()
  if (perk.codes)
    return (
      <p className="text-sm text-muted">
        {perk.codes.left === 0 && perk.codes.total > 0
          ? t('allGiven', { count: perk.codes.total })
          : t('left', { left: perk.codes.left, total: perk.codes.total })}
      </p>
    )
  if (perk.file)
    return <p className="text-sm text-muted wrap-anywhere">{`${perk.file.name}, ${sizeOf(perk.file.bytes, locale)}`}</p>
  if (perk.url !== null)
    return (
      <p className="text-sm">
        <TextLink href={perk.url} className="break-all">
          {perk.url.replace(/^https:\/\//, '')}
        </TextLink>
      </p>
    )
  return (
    <p dir="auto" className="line-clamp-3 text-sm whitespace-pre-line text-muted wrap-anywhere">
      {perk.text}
    </p>
  )
}
