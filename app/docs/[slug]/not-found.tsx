import { docsNavigation } from '@/app/docs/navigation'
import { DocsFrame } from '@/components/docs/docs-frame'

export default function NoSuchGuide() {
  return (
    <DocsFrame navigation={docsNavigation().navigation}>
      <div className="grid gap-4">
        <h1 className="text-2xl font-medium">Page not found</h1>
        <p className="text-muted">
          The documentation has no page at this address. Search for it above, or choose one of the contents.
        </p>
      </div>
    </DocsFrame>
  )
}
