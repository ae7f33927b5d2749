import type { WorkerContext } from '../platform/auth/context.ts'
import { emailOf } from '../platform/auth/sign-in.ts'
import { mailSignIn } from '../platform/jobs/jobs.ts'
import { enqueue } from '../platform/jobs/queue.ts'

type Request = {
  email: string
  /** The path of the dashboard to open after signing in. */
  returnTo?: string | undefined
}

/**
 * Asks for a sign-in link. A job looks the address up and mails, so that the same statements run for any address and the answer
 * takes the same time.
 */
export const askForSignIn = (ctx: WorkerContext, { email, returnTo }: Request): Promise<void> =>
  enqueue(ctx, mailSignIn, { email: emailOf(email), return_to: returnTo }, { key: emailOf(email) })
