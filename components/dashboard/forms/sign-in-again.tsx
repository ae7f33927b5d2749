'use client'

import { usePathname } from 'next/navigation'
import { TextLink } from '@/components/ui/text-link'

/** Leads through a sign-in and back to this page. */
export function SignInAgain() {
  const path = usePathname()
  return <TextLink href={`/sign-in/again?${new URLSearchParams({ return_to: path })}`}>Sign in again</TextLink>
}
