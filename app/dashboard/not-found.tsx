import { LinkButton } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'

export default function NothingHere() {
  return (
    <EmptyState title="There is nothing here" action={<LinkButton href="/dashboard">To the overview</LinkButton>}>
      This address shows nothing of your organization. It may have been deleted, or never was.
    </EmptyState>
  )
}
