'use client'

import type { ReactElement, ReactNode, RefObject } from 'react'
import { Menu as Base } from '@base-ui/react/menu'

/**
 * A menu of actions behind a button. `container`: the element that contains the open menu, where it should belong to
 * that landmark.
 */
export function Menu({
  trigger,
  container,
  children,
}: {
  trigger: ReactElement<Record<string, unknown>>
  container?: RefObject<HTMLElement | null>
  children: ReactNode
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal container={container}>
        <Base.Positioner sideOffset={6} align="end" className="z-50 outline-none">
          <Base.Popup
            className={
              'min-w-44 rounded-md border bg-pane p-1 text-sm text-ink shadow-lift outline-none ' +
              'transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0'
            }
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

const entry =
  'flex min-h-9 w-full cursor-pointer items-center gap-2.5 rounded-sm px-2.5 text-left outline-none ' +
  'data-[highlighted]:bg-well data-[disabled]:opacity-50'

export function MenuItem({
  icon,
  children,
  onSelect,
  disabled,
}: {
  icon?: ReactElement
  children: ReactNode
  onSelect: () => void
  disabled?: boolean
}) {
  return (
    <Base.Item className={entry} onClick={onSelect} disabled={disabled}>
      {icon}
      <div className="contents">{children}</div>
    </Base.Item>
  )
}
