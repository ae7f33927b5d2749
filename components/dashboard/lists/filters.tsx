import type { ReactNode } from 'react'
import { Button, LinkButton } from '@/components/ui/button'

/** Filters in the query string: they can be shared and work without scripts. */
export function Filters({ path, active, children }: { path: string; active: boolean; children: ReactNode }) {
  return (
    <form
      action={path}
      method="get"
      role="search"
      className="flex flex-wrap items-end gap-3 [&>*]:max-w-full [&>*]:min-w-0 [&>*]:grow sm:[&>*]:max-w-56 sm:[&>*]:grow-0"
    >
      {children}
      <div className="flex gap-2">
        <Button type="submit">Filter</Button>
        {active && (
          <LinkButton href={path} variant="quiet">
            Clear
          </LinkButton>
        )}
      </div>
    </form>
  )
}
