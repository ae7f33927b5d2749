import type { Context } from '../../platform/auth/context.ts'
import { fieldError } from '../../core/errors.ts'
import { EgressRefused } from '../../ports/egress/egress.ts'

/** Refuses an address that would never be posted to. */
export async function assertWebhookUrl(ctx: Context, url: string): Promise<void> {
  try {
    await ctx.ports.poster.assertUrl(url)
  } catch (error) {
    if (error instanceof EgressRefused) throw fieldError('webhook_url_invalid', 'url', error.message)
    throw error
  }
}
