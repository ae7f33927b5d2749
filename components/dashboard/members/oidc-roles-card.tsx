import { useTranslations } from 'next-intl'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { Card } from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { ActionForm, Submit } from '../forms/action-form'

/** Whether roles follow the sign-in provider of the installation. Only owners decide. */
export function OidcRolesCard({
  action,
  opened,
  follows,
  isOwner,
}: {
  action: FormAction
  opened: Opened
  follows: boolean
  isOwner: boolean
}) {
  const t = useTranslations('dashboard.settings.roles')
  return (
    <Card title={t('title')} description={t('lead')}>
      {isOwner ? (
        <ActionForm action={action} opened={opened} draft="roles">
          <input type="hidden" name="follows_oidc_roles:flag" value="false" />
          <Checkbox
            name="follows_oidc_roles:flag"
            defaultChecked={follows}
            label={t('follow')}
            hint={t('followHint')}
          />
          <div>
            <Submit>{t('save')}</Submit>
          </div>
        </ActionForm>
      ) : (
        <p className="text-sm">{follows ? t('follows') : t('here')}</p>
      )}
    </Card>
  )
}
