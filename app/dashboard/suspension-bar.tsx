import { Alert } from '@/components/ui/alert'
import { env } from '@/lib/core/env'
import type { Context } from '@/lib/platform/auth/context'
import { listSuspensions } from '@/lib/data/abuse/list-suspensions'

/** Says on every page of the dashboard what is suspended, why, and whom to ask. */
export async function SuspensionBar({ ctx }: { ctx: Context }) {
  const suspensions = await listSuspensions(ctx)
  if (suspensions.length === 0) return null
  return (
    <Alert
      tone="warning"
      title={
        suspensions.some(({ collectionName }) => collectionName === null)
          ? 'This organization is suspended'
          : suspensions.length === 1
            ? 'A collection is suspended'
            : `${suspensions.length} collections are suspended`
      }
    >
      <ul className="grid gap-1 wrap-anywhere">
        {suspensions.map(({ id, collectionName, reason }) => (
          <li key={id}>{collectionName === null ? reason : `${collectionName}: ${reason}`}</li>
        ))}
      </ul>
      <p className="mt-1">
        Nothing of it is sold, claimed or minted. You can read, export and refund; what was paid and isn’t delivered
        waits. {env.OPERATOR_EMAIL ? `Questions go to ${env.OPERATOR_EMAIL}.` : 'Ask those who run this service.'}
      </p>
    </Alert>
  )
}
