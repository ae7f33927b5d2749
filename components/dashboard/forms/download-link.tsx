import type { ReactNode } from 'react'
import { Download } from 'lucide-react'

/** A link that downloads a file. */
export function DownloadLink({
  href,
  name,
  small = false,
  children,
}: {
  href: string
  /** The file's name. */
  name?: string
  small?: boolean
  children: ReactNode
}) {
  return (
    <a
      href={href}
      download={name ?? true}
      className={`inline-flex items-center justify-center rounded-md border border-edge bg-pane text-sm leading-tight font-medium text-ink transition-colors hover:border-ink hover:bg-well ${small ? 'min-h-8 gap-1.5 px-3' : 'min-h-10 gap-2 px-4'}`}
    >
      <Download aria-hidden="true" className="size-4" />
      {children}
    </a>
  )
}
