'use server'

import { revalidatePath } from 'next/cache'
import { openBooks } from '@/lib/ports/sandbox-cards/books'
import { submitOnboarding } from '@/lib/ports/sandbox-cards/accounts'

/** The account's owner has told everything. */
export async function sendIn(accountId: string, token: string): Promise<void> {
  await submitOnboarding(openBooks(), accountId, token)
  revalidatePath(`/sandbox/cards/onboarding/${accountId}`)
}
