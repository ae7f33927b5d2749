import type { FormAction } from '@/lib/http/action'
import { LinkButton } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { ActionForm, FormError, FormField, Submit } from './action-form'

/** Mints an item to an address that is known already. */
export function MintForm({ action, itemId, editions, cancel }: { action: FormAction; itemId: string; editions: boolean; cancel: string }) {
  return (
    <ActionForm action={action} className="max-w-2xl gap-6">
      <input type="hidden" name="item_id" value={itemId} />
      <FormField name="to_address" label="To" hint="Tokens sent to a wrong address are lost: copy it, and compare the first and last characters." required>
        <Input name="to_address" placeholder="0x…" spellCheck={false} autoComplete="off" autoCapitalize="none" className="figures" />
      </FormField>
      {editions && (
        <FormField name="quantity" label="Units" className="max-w-40">
          <Input name="quantity" inputMode="numeric" defaultValue="1" />
        </FormField>
      )}
      <FormError name="item_id" />
      <div className="flex flex-wrap gap-2">
        <Submit size="lg">Mint it</Submit>
        <LinkButton href={cancel} variant="quiet" size="lg">
          Cancel
        </LinkButton>
      </div>
    </ActionForm>
  )
}
