import { headers } from 'next/headers'
import { env } from '@/lib/core/env'
import { isForm } from '@/lib/platform/http/form-body'
import { maintenanceSince } from '@/lib/platform/http/maintenance'
import type { RouteContext } from '@/lib/platform/http/serve'

type Post = (request: Request, route: RouteContext) => Promise<Response>
type Sent = {
  method?: 'POST' | 'PUT'
  path: string
  params?: Record<string, string>
  body?: unknown
  idempotencyKey?: string
}

/**
 * Sends to a route of the public API in process, for the client that sent a form. `refused` is the code of its error;
 * in maintenance nothing is sent.
 */
export async function postFromPage(
  post: Post,
  { method = 'POST', path, params = {}, body = {}, idempotencyKey }: Sent,
): Promise<{ refused: string | null; answer: Record<string, unknown> }> {
  if (await maintenanceSince()) return { refused: 'maintenance', answer: {} }
  const request = new Request(env.ORIGIN + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-client-address': (await headers()).get('x-client-address') ?? '',
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(body),
  })
  const response = await post(request, { params: Promise.resolve(params) })
  const answer = response.status === 204 ? {} : ((await response.json()) as Record<string, unknown>)
  return { refused: response.ok ? null : String(answer.code), answer }
}

/** A field of a form as text without space around it; null when it is empty. */
export const textOf = (form: FormData, name: string): string | null =>
  (isForm(form) && String(form.get(name) ?? '').trim()) || null
