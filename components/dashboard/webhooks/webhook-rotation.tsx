'use client'

import type { FormAction } from '@/lib/platform/api/form-action'
import { LinkButton } from '@/components/ui/button'
import { ActionForm, Submit } from '../forms/action-form'
import { WebhookSecret } from './webhook-secret'

/** Rotates the secret and shows the new one. */
export function WebhookRotation({ action, back }: { action: FormAction; back: string }) {
  return (
    <ActionForm
      action={action}
      reveal={(secret) => (
        <WebhookSecret
          value={secret}
          title="The new secret"
          done={back}
          note="For the next 24 hours both sign; then only this one does."
        />
      )}
      className="max-w-2xl"
    >
      <p>
        For 24 hours every delivery carries two signatures, one by each secret. Give your receiver the new one whenever
        it suits you within that time: nothing is refused in between. A secret that was replaced before and still signs
        stops at once.
      </p>
      <div className="flex flex-wrap gap-2">
        <Submit>Make a new secret</Submit>
        <LinkButton href={back} variant="quiet">
          Cancel
        </LinkButton>
      </div>
    </ActionForm>
  )
}
