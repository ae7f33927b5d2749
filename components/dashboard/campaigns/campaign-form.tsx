import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/button'
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
  /** Used without an own sender. */
  defaultSender: string
  submit: string
  cancel?: string
}

/** The settings of all mails of a campaign. */
export function CampaignForm({ action, campaign = NEW, defaultSender, submit, cancel }: Props) {
  return (
    <ActionForm action={action} draft="campaign" className="max-w-2xl gap-6">
      <FormField name="name" label="Name" hint="Only you see it." required>
        <Input name="name" defaultValue={campaign.name} autoComplete="off" placeholder="Spring drop" />
      </FormField>
      <FormField name="email_from" label="Sender" hint="The name that mailboxes show." optional>
        <Input
          name="email_from:null"
          defaultValue={campaign.emailFrom ?? ''}
          autoComplete="off"
          placeholder={defaultSender}
        />
      </FormField>
      <FormField
        name="reminder_days"
        label="Reminder"
        hint="Days before a link expires when recipients who haven’t claimed their item get one more email. 0 sends none."
        className="max-w-xs"
      >
        <Input name="reminder_days:number" inputMode="numeric" defaultValue={campaign.reminderDays} />
      </FormField>
      <MomentField
        name="send_at"
        label="Gifts leave at"
        hint="Send items before: the mails wait until then. What people buy is mailed at once."
        at={campaign.sendAt}
      />
      <div className="flex flex-wrap gap-2">
        <Submit>{submit}</Submit>
        {cancel && (
          <LinkButton href={cancel} variant="quiet">
            Cancel
          </LinkButton>
        )}
      </div>
    </ActionForm>
  )
}
