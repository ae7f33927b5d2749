'use server'

import { redirect } from 'next/navigation'
import * as api from '@/lib/api/mint-requests'
import { act, type ActionState } from '@/lib/http/action'
import { requestMints } from '@/lib/mints/request-mints'

export async function mintAction(_: ActionState, form: FormData): Promise<ActionState> {
  const done = await act(api.createMintRequests, { form }, (ctx, { body }) => requestMints(ctx, body))
  if (!done.ok) return done
  const [first, second] = done.value.mint_requests
  redirect(first && !second ? `/dashboard/mint-requests/${first.id}` : '/dashboard/mint-requests')
}
