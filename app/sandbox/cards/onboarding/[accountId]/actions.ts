'use server'

import { revalidatePath } from 'next/cache'
import { assertNoMaintenance } from '@/lib/platform/http/maintenance'
import { openSandboxStore } from '@/lib/ports/sandbox-cards/store'
import { submitOnboarding } from '@/lib/ports/sandbox-cards/accounts'

/** Completes the account's onboarding. */
export async function sendIn(accountId: string, token: string): Promise<void> {
  await assertNoMaintenance()
  await submitOnboarding(openSandboxStore(), accountId, token)
  revalidatePath(`/sandbox/cards/onboarding/${accountId}`)
}
