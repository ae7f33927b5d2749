'use server'

import { redirect } from 'next/navigation'
import { postFromPage, textOf } from '@/app/public/post-from-page'
import { POST } from '@/app/public/v1/link-mails/route'

/** Has the links of a mailbox mailed to it. What it says afterwards doesn't depend on the mailbox. */
export async function mailLinksAction(form: FormData): Promise<void> {
  const { refused } = await postFromPage(POST, {
    path: '/public/v1/link-mails',
    body: { email: textOf(form, 'email') },
  })
  redirect(`/claims?said=${refused ?? 'asked'}`)
}
