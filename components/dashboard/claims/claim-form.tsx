import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { type CampaignChoice, CampaignSelect } from '../campaigns/campaign-select'
import { PayerChoice } from './payer-choice'

type Props = {
  action: FormAction
  itemId: string
  editions: boolean
  campaigns: CampaignChoice[]
  campaignId: string | null
  cancel: string
}

/** Who gets the item, and who pays for the transaction. */
export function ClaimForm({ action, itemId, editions, campaigns, campaignId, cancel }: Props) {
  return (
    <ActionForm action={action} className="max-w-2xl gap-6">
      <input type="hidden" name="item_id" value={itemId} />
      <FormField
        name="email"
        label="Email"
        hint="The recipient can claim the item with this email. They need no wallet and no account."
        required
      >
        <Input name="email" type="email" inputMode="email" autoComplete="off" placeholder="ada@example.com" />
      </FormField>
      <div className="grid gap-6 sm:grid-cols-2">
        {editions && (
          <FormField name="quantity" label="Units">
            <Input name="quantity" inputMode="numeric" defaultValue="1" />
          </FormField>
        )}
        <FormField name="expiration" label="The link works for">
          <Select name="days:number" defaultValue="30">
            <option value="7">7 days</option>
            <option value="30">30 days</option>
            <option value="90">90 days</option>
            <option value="365">A year</option>
          </Select>
        </FormField>
      </div>
      <PayerChoice />
      <CampaignSelect campaigns={campaigns} campaignId={campaignId} />
      <FormError name="item_id" />
      <div className="flex flex-wrap gap-2">
        <Submit size="lg">Send it</Submit>
        <LinkButton href={cancel} variant="quiet" size="lg">
          Cancel
        </LinkButton>
      </div>
    </ActionForm>
  )
}
