import type { FormAction } from '@/lib/platform/api/form-action'
import { Address } from '@/components/ui/address'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ConfirmAction } from '../forms/confirm-action'

/** What can be done with a foreign contract. `action` null: without the permission. */
export function ExternalContract({
  mayMint,
  operator,
  action,
}: {
  mayMint: boolean
  operator: string | null
  action: FormAction | null
}) {
  return (
    <Card title="Connected contract">
      <div className="grid gap-4 text-sm">
        <p>
          {mayMint
            ? 'It lets us mint: items that you make here can be sold, sent and minted like any other. Mint vouchers are for contracts of ours.'
            : 'We read it: its tokens appear here as items, with their owners and history, and snapshots can be taken. It doesn’t let us mint, so nothing of it can be sold or sent from here.'}
        </p>
        {!mayMint && operator && (
          <p className="text-muted">
            To change that, its owner gives the role of a minter to{' '}
            <Address value={operator} copyLabel="Copy operator’s address" />
          </p>
        )}
        {action && (
          <div>
            <ConfirmAction
              action={action}
              trigger={<Button size="sm">Check again</Button>}
              title="Ask the contract again?"
              description="We check again whether the contract lets us mint, and who owns it. Nothing changes on the chain."
              confirm="Ask it"
              tone="primary"
            />
          </div>
        )}
      </div>
    </Card>
  )
}
