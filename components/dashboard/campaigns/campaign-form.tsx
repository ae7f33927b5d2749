import { useTranslations } from 'next-intl'
import type { FormAction, Opened } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/link-button'
import { Input } from '@/components/ui/input'
import { ActionForm, FormField, Submit } from '../forms/action-form'
import { MomentField } from '../forms/moment-field'

type CampaignSettings = {
  name: string
  /** null: the default. */
  emailFrom: string | null
  reminderDays: number
  /** ISO 8601; null: at once. */
  sendAt: string | null
}
const NEW: CampaignSettings = { name: '', emailFrom: null, reminderDays: 3, sendAt: null }

type Props = {
  action: FormAction
  campaign?: CampaignSettings
  opened?: Opened
  /** Used without an own sender. */
  defaultSender: string
  submit: string
  cancel?: string
}

/** The settings of all mails of a campaign. */
export function CampaignForm({ action, campaign = NEW, opened, defaultSender, submit, cancel }: Props) {
  const t = useTranslations('dashboard.campaigns.form')
  return (
    <ActionForm action={action} opened={opened} draft="campaign" className="max-w-2xl gap-6">
      <FormField name="name" label={t('name')} hint={t('nameHint')} required>
        <Input name="name" defaultValue={campaign.name} autoComplete="off" placeholder={t('nameExample')} />
      </FormField>
      <FormField name="email_from" label={t('sender')} hint={t('senderHint')} optional>
        <Input
          name="email_from:null"
          defaultValue={campaign.emailFrom ?? ''}
          autoComplete="off"
          placeholder={defaultSender}
        />
      </FormField>
      <FormField name="reminder_days" label={t('reminder')} hint={t('reminderHint')} className="max-w-xs">
        <Input name="reminder_days:number" inputMode="numeric" defaultValue={campaign.reminderDays} />
      </FormField>
      <MomentField name="send_at" label={t('leaveAt')} hint={t('leaveAtHint')} at={campaign.sendAt} />
      <div className="flex flex-wrap gap-2">
        <Submit>{submit}</Submit>
        {cancel && (
          <LinkButton href={cancel} variant="quiet">
            {t('cancel')}
          </LinkButton>
        )}
      </div>
    </ActionForm>
  )
}
