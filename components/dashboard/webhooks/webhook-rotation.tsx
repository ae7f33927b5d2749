'use client'

import { useTranslations } from 'next-intl'
import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/link-button'
import { ActionForm, Submit } from '../forms/action-form'
import { WebhookSecret } from './webhook-secret'

/** Rotates the secret and shows the new one. */
export function WebhookRotation({ action, back }: { action: FormAction; back: string }) {
  const t = useTranslations('dashboard.webhooks')
  return (
    <ActionForm
      action={action}
      reveal={(secret) => (
        <WebhookSecret value={secret} title={t('rotation.newSecret')} done={back} note={t('rotation.note')} />
      )}
      className="max-w-2xl"
    >
      <p>{t('rotation.text')}</p>
      <div className="flex flex-wrap gap-2">
        <Submit>{t('rotation.make')}</Submit>
        <LinkButton href={back} variant="quiet">
          {t('form.cancel')}
        </LinkButton>
      </div>
    </ActionForm>
  )
}
