'use server'

import { redirect } from 'next/navigation'
import * as api from '@/lib/platform/api/mint-requests'
import type { ActionState } from '@/lib/platform/api/form-action'
import { act } from '@/lib/platform/http/action'
import { requestMints } from '@/lib/onchain/mints/request-mints'

export async function mintAction(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(api.createMintRequests, { form }, (ctx, { body }) => requestMints(ctx, body))
  if (!done.ok) return done
  const [first, second] = done.value.mint_requests
  redirect(first && !second ? `/dashboard/mint-requests/${first.id}` : '/dashboard/mint-requests')
}
