import type { ReactNode } from 'react'

/** Content for a browser without script. It takes the place of all that is marked with `data-needs-script`. */
export function WithoutScript({ children }: { children: ReactNode }) {
  return (
    <noscript>
      <style>{'[data-needs-script] { display: none }'}</style>
      <div className="contents">{children}</div>
    </noscript>
  )
}
