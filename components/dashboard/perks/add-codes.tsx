'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import type { addPerkCodes } from '@/lib/platform/api/perks'
import { api, route } from '../../shared/api'
import { CodesField, codesIn } from './codes-field'
import { SentForm } from './sent-form'

const addRoute = route<typeof addPerkCodes>('POST', '/v1/perks/{perk_id}/codes')

/** Adds codes to a perk that has some. */
export function AddCodes({ perkId, title }: { perkId: string; title: string }) {
  const t = useTranslations('dashboard.perks.codes')

  async function send(form: FormData): Promise<string> {
    const codes = codesIn((form.get('codes') as string | null) ?? '')
    const { added } = await api(addRoute, { params: { perk_id: perkId }, body: { codes } })
    const known = codes.length - added
    return known > 0 ? t('addedSome', { added, known }) : t('added', { added })
  }
  return (
    <SentForm
      trigger={<Button size="sm">{t('add')}</Button>}
      title={t('addTitle', { title })}
      description={t('addText')}
      confirm={t('addConfirm')}
      send={send}
    >
      <CodesField />
    </SentForm>
  )
}
