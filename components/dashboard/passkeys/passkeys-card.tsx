import { useTranslations } from 'next-intl'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { Card } from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { ActionForm, Submit } from '../forms/action-form'

/** Whether members need a passkey. Only owners decide. */
export function PasskeysCard({
  action,
  opened,
  required,
  isOwner,
}: {
  action: FormAction
  opened: Opened
  required: boolean
  isOwner: boolean
}) {
  const t = useTranslations('dashboard.passkeys.ofMembers')
  return (
    <Card title={t('title')} description={t('lead')}>
      {isOwner ? (
        <ActionForm action={action} opened={opened} draft="passkeys">
          <input type="hidden" name="requires_passkeys:flag" value="false" />
          <Checkbox name="requires_passkeys:flag" defaultChecked={required} label={t('needed')} hint={t('hint')} />
          <div>
            <Submit>{t('save')}</Submit>
          </div>
        </ActionForm>
      ) : (
        <p className="text-sm">{required ? t('isNeeded') : t('isFree')}</p>
      )}
    </Card>
  )
}
