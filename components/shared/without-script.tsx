import type { ReactNode } from 'react'

/** What a browser without script shows, in place of all that is marked with `data-needs-script`. */
export function WithoutScript({ children }: { children: ReactNode }) {
  return (
    <noscript>
      <style>{'[data-needs-script] { display: none }'}</style>
      <div className="contents">{children}</div>
    </noscript>
  )
}
