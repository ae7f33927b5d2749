import { LinkButton } from '@/components/ui/button'

export default function NotFound() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-center gap-4 px-5 text-center">
      <h1 className="text-2xl font-medium">There is nothing here</h1>
      <p className="text-muted">The address may be mistyped, or what stood here is gone.</p>
      <LinkButton href="/">To the front page</LinkButton>
    </main>
  )
}
