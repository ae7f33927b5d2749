import type { Context } from '../../platform/auth/context.ts'
import { fieldError } from '../../core/errors.ts'
import { EgressRefused } from '../../ports/egress/egress.ts'

/** Throws `webhook_url_invalid` for a URL to which deliveries would be refused. */
export async function assertWebhookUrl(ctx: Context, url: string): Promise<void> {
  try {
    await ctx.ports.poster.assertUrl(url)
  } catch (error) {
    if (error instanceof EgressRefused) throw fieldError('webhook_url_invalid', 'url', error.message)
    throw error
  }
}
