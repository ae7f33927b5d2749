import type { FormAction } from '@/lib/platform/api/form-action'
import { Card } from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { ActionForm, Submit } from '../forms/action-form'

/** Whether members need a passkey. Only owners decide. */
export function PasskeysCard({
  action,
  required,
  isOwner,
}: {
  action: FormAction
  required: boolean
  isOwner: boolean
}) {
  return (
    <Card
      title="Passkeys of members"
      description="Members who signed in by email link or with another service then need a passkey to open this dashboard. API keys are unaffected."
    >
      {isOwner ? (
        <ActionForm action={action}>
          <input type="hidden" name="requires_passkeys:flag" value="false" />
          <Checkbox
            name="requires_passkeys:flag"
            defaultChecked={required}
            label="Members need a passkey"
            hint="Register your own first. A member who loses theirs signs in by email link and registers a new one; owners get an email about it."
          />
          <div>
            <Submit>Save</Submit>
          </div>
        </ActionForm>
      ) : (
        <p className="text-sm">{required ? 'Members need a passkey.' : 'Members may sign in any way.'}</p>
      )}
    </Card>
  )
}
