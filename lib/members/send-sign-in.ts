import type { AnyContext } from '../platform/auth/context.ts'
import { isMember, createSignInLink, SIGN_IN_SECONDS } from '../platform/auth/sign-in.ts'
import { MINUTE } from '../core/clock.ts'
import { writeMail } from '../messaging/outbox/write-mail.ts'

/** Mails a sign-in link if the address belongs to a member. The caller gets no answer, so addresses can't be probed. */
export async function sendSignIn(ctx: AnyContext, { email, url }: { email: string; url?: string }): Promise<void> {
  if (!(await isMember(email))) return
  const link = url ?? (await createSignInLink(email, SIGN_IN_SECONDS))
  const variables = {
    sign_in_url: link,
    origin_host: new URL(ctx.ports.addresses.origin).host,
    minutes: String(SIGN_IN_SECONDS / MINUTE),
  }
  await writeMail(ctx, { templateType: 'SIGN_IN', to: email, variables })
}
