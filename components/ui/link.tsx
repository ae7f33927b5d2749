'use client'

import { useState } from 'react'
import type { ComponentProps } from 'react'
import RouterLink from 'next/link'

/**
 * A link to another page of ours. Its page is asked for ahead once a pointer or the focus is on it. The router alone
 * would ask for the pages of all links that are seen: for dozens of them each time a page of the dashboard is opened.
 */
export function Link({ prefetch, onPointerEnter, onFocus, ...rest }: ComponentProps<typeof RouterLink>) {
  const [isNear, setNear] = useState(false)
  return (
    <RouterLink
      {...rest}
      prefetch={prefetch ?? (isNear ? null : false)}
      onPointerEnter={(event) => {
        setNear(true)
        onPointerEnter?.(event)
      }}
      onFocus={(event) => {
        setNear(true)
        onFocus?.(event)
      }}
    />
  )
}
