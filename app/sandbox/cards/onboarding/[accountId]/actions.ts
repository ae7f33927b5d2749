'use server'

import { revalidatePath } from 'next/cache'
import { openBooks } from '@/lib/sandbox-cards/books'
import { submitOnboarding } from '@/lib/sandbox-cards/accounts'

/** The account's owner has told everything. */
export async function sendIn(accountId: string, token: string): Promise<void> {
  await submitOnboarding(openBooks(), accountId, token)
  revalidatePath(`/sandbox/cards/onboarding/${accountId}`)
}
