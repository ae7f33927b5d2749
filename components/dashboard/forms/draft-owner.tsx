'use client'

import type { ReactNode } from 'react'
import { createContext, useContext } from 'react'

const Owner = createContext<string | null>(null)

/** Whose drafts the forms within are: an organization's and a member's. */
export function DraftOwner({ owner, children }: { owner: string; children: ReactNode }) {
  return <Owner value={owner}>{children}</Owner>
}

/** null outside of the dashboard, where forms are left without a question. */
export const useDraftOwner = (): string | null => useContext(Owner)
