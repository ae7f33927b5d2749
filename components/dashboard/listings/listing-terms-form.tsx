'use client'

import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { ActionForm, FormError, FormField, Submit } from '../forms/action-form'
import { type CampaignChoice, CampaignSelect } from '../campaigns/campaign-select'
import { Flag } from '../forms/section'
import { MomentField } from '../forms/moment-field'

export type Terms = {
  max_quantity_per_tx: string
  max_per_user: string | null
  start_time: string | null
  end_time: string | null
  proof_of_work: boolean
  campaign_id: string | null
}

/** The terms of a listing that can change after its creation. */
export function ListingTermsForm({
  action,
  terms,
  campaigns,
  several,
  cancel,
}: {
  action: FormAction
  terms: Terms
  campaigns: CampaignChoice[]
  several: boolean
  cancel: string
}) {
  return (
    <ActionForm action={action} draft="terms" className="max-w-2xl gap-6">
      {several && (
        <div className="grid items-start gap-6 sm:grid-cols-2">
          <FormField name="max_quantity_per_tx" label="Per purchase" hint="The most it may have." required>
            <Input name="max_quantity_per_tx" inputMode="numeric" defaultValue={terms.max_quantity_per_tx} />
          </FormField>
          <FormField
            name="policy.max_per_user"
            label="At most for one buyer"
            hint="Across all their purchases. Leave empty for no limit."
            optional
          >
            <Input name="policy.max_per_user:null" inputMode="numeric" defaultValue={terms.max_per_user ?? ''} />
          </FormField>
        </div>
      )}
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <MomentField name="start_time" label="Starts" hint="Leave empty to start immediately." at={terms.start_time} />
        <MomentField name="end_time" label="Ends" hint="Leave empty to end when sold out." at={terms.end_time} />
      </div>
      <CampaignSelect campaigns={campaigns} campaignId={terms.campaign_id} clears />
      <Flag
        name="proof_of_work"
        checked={terms.proof_of_work}
        label="Bot protection"
        hint="Every buyer’s browser solves a puzzle for a few seconds first."
      />
      <FormError name="payment_providers" />
      <div className="flex flex-wrap gap-2">
        <Submit>Save</Submit>
        <LinkButton href={cancel} variant="quiet">
          Cancel
        </LinkButton>
      </div>
    </ActionForm>
  )
}
