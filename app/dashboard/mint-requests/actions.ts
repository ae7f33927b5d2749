'use server'

import { redirect } from 'next/navigation'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act } from '@/lib/platform/http/action'
import { handlers as web } from '@/lib/web/mint-requests'

export async function mintAction(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(web.createMintRequests, { form })
  if (!done.ok) return done
  const [first, second] = done.value.mint_requests
  redirect(first && !second ? `/dashboard/mint-requests/${first.id}` : '/dashboard/mint-requests')
}
