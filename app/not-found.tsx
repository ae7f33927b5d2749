import { LinkButton } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'

export default function NotFound() {
  return (
    <main className="grid min-h-dvh content-center">
      <EmptyState title="There is nothing here" action={<LinkButton href="/">To the front page</LinkButton>}>
        The address may be mistyped, or what stood here is gone.
      </EmptyState>
    </main>
  )
}
