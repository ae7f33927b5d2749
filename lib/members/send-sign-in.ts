import type { Context } from '../auth/context.ts'
import { isMember, makeSignInLink, SIGN_IN_SECONDS } from '../auth/sign-in.ts'
import { writeMail } from '../outbox/write-mail.ts'

/** Mails a sign-in link to a member. Nobody can tell from the outside whether there was one to mail to. */
export async function sendSignIn(ctx: Context, { email, url }: { email: string; url?: string }): Promise<void> {
  if (!(await isMember(email))) return
  const link = url ?? (await makeSignInLink(email, SIGN_IN_SECONDS))
  await writeMail(ctx, { templateType: 'SIGN_IN', to: email, variables: { sign_in_url: link } })
}
