import type { FormAction } from '@/lib/platform/api/form-action'
import { Card } from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { ActionForm, Submit } from '../forms/action-form'

/** Whether roles follow the sign-in provider of the installation. Only owners decide. */
export function OidcRolesCard({
  action,
  follows,
  isOwner,
}: {
  action: FormAction
  follows: boolean
  isOwner: boolean
}) {
  return (
    <Card
      title="Roles from the sign-in provider"
      description="Members who sign in with it get the role that it says, and become viewers where it says none. The last owner stays one."
    >
      {isOwner ? (
        <ActionForm action={action}>
          <input type="hidden" name="follows_oidc_roles:flag" value="false" />
          <Checkbox
            name="follows_oidc_roles:flag"
            defaultChecked={follows}
            label="Roles follow the provider"
            hint="Whoever runs the provider then decides who may do what here."
          />
          <div>
            <Submit>Save the source of roles</Submit>
          </div>
        </ActionForm>
      ) : (
        <p className="text-sm">{follows ? 'Roles follow the provider.' : 'Roles are given here only.'}</p>
      )}
    </Card>
  )
}
