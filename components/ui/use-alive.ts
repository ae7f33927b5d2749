'use client'

import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False on the server and while hydrating, true from then on: for what only the browser can know. */
export const useAlive = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
