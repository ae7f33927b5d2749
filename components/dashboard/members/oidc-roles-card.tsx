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
      description="Members who sign in with the provider get the role it reports, or become viewers if it reports none. The last owner keeps their role."
    >
      {isOwner ? (
        <ActionForm action={action}>
          <input type="hidden" name="follows_oidc_roles:flag" value="false" />
          <Checkbox
            name="follows_oidc_roles:flag"
            defaultChecked={follows}
            label="Roles follow the provider"
            hint="The provider’s administrators then decide who may do what here."
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
