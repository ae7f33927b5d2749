import type { Metadata } from 'next'
import { Link } from '@/components/ui/link'
import { notFound } from 'next/navigation'
import { inboxFolder } from '@/app/dev/inbox'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { classes } from '@/components/ui/classes'
import { EmptyState } from '@/components/ui/empty-state'
import { Fact, Facts } from '@/components/ui/facts'
import { Input } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { findInboxMail, type InboxMail, listInboxMail } from '@/lib/ports/mail/inbox'

export const metadata: Metadata = { title: 'Inbox' }

type Choice = { to?: string; id?: string; view?: string }

/** All mails that this sandbox has sent. Works without scripts. */
export default async function InboxPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const folder = inboxFolder()
  if (!folder) notFound()
  const choice = choiceOf(await searchParams)
  const mails = await listInboxMail(folder, { to: choice.to })
  const open = choice.id ? await findInboxMail(folder, choice.id) : (mails[0] ?? null)

  return (
    <main className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-6 px-4 py-8 sm:px-6">
      <PageHeader
        title="Inbox"
        description="Every mail of this sandbox ends up here; none of them leaves this machine."
        actions={<LinkButton href={addressOf({ ...choice, id: undefined })}>Look again</LinkButton>}
      />
      <form action="/dev/mail" className="flex flex-wrap items-end gap-2">
        <label className="grid min-w-0 flex-1 gap-1 text-sm sm:max-w-sm">
          <span className="text-muted">Sent to</span>
          <Input name="to" type="email" defaultValue={choice.to ?? ''} placeholder="anyone" />
        </label>
        <Button type="submit">Filter</Button>
      </form>
      {mails.length === 0 ? (
        <EmptyState title="No mail yet">
          {choice.to
            ? `Nothing was sent to ${choice.to}.`
            : 'Send someone an item, or ask for a sign-in link: it arrives here within a second or two.'}
        </EmptyState>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
          <MailList mails={mails} open={open} choice={choice} />
          {open ? (
            <OpenMail mail={open} choice={choice} />
          ) : (
            <EmptyState title="Not here">That mail is gone. Choose another one.</EmptyState>
          )}
        </div>
      )}
    </main>
  )
}

function MailList({ mails, open, choice }: { mails: InboxMail[]; open: InboxMail | null; choice: Choice }) {
  return (
    <nav aria-label="Mails, newest first">
      <ul className="max-h-[75vh] divide-y overflow-y-auto rounded-lg border bg-pane shadow-rest">
        {mails.map((mail) => (
          <li key={mail.id}>
            <Link
              href={addressOf({ to: choice.to, id: mail.id })}
              aria-current={mail.id === open?.id ? 'true' : undefined}
              className={classes(
                'grid grid-cols-[minmax(0,1fr)] gap-0.5 px-4 py-3 hover:bg-well',
                mail.id === open?.id && 'bg-glass-soft',
              )}
            >
              <span className="truncate font-medium" title={mail.subject}>
                {mail.subject || '(no subject)'}
              </span>
              <span className="flex justify-between gap-3 text-sm text-muted">
                <span className="truncate" title={mail.to}>
                  {mail.to}
                </span>
                <RelativeTime at={mail.sent_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function OpenMail({ mail, choice }: { mail: InboxMail; choice: Choice }) {
  const asText = choice.view === 'text' || !mail.html
  const tab = (view: string | undefined, label: string, current: boolean) => (
    <Link
      href={addressOf({ to: choice.to, id: mail.id, view })}
      aria-current={current ? 'true' : undefined}
      className={classes('rounded-sm px-2 py-1 text-sm', current ? 'bg-well text-ink' : 'text-muted hover:text-ink')}
    >
      {label}
    </Link>
  )
  return (
    <article aria-label="The chosen mail" className="overflow-hidden rounded-lg border bg-pane shadow-rest">
      <header className="grid gap-3 border-b px-5 py-4">
        <h2 className="text-lg font-medium break-words">{mail.subject || '(no subject)'}</h2>
        <Facts>
          <Fact name="From">{mail.from}</Fact>
          <Fact name="To">{mail.to}</Fact>
          {mail.reply_to && <Fact name="Replies go to">{mail.reply_to}</Fact>}
        </Facts>
        <div className="flex gap-1">
          {mail.html && tab(undefined, 'As it looks', !asText)}
          {tab('text', 'As text', asText)}
        </div>
      </header>
      {asText ? (
        <pre className="overflow-x-auto px-5 py-4 font-mono text-sm whitespace-pre-wrap">{mail.text}</pre>
      ) : (
        <iframe
          title={`Mail: ${mail.subject}`}
          srcDoc={`<base target="_blank">${mail.html}`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          style={{ background: 'white', colorScheme: 'light' }}
          className="h-[70vh] w-full"
        />
      )}
    </article>
  )
}

const single = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value[0] : value) || undefined

const choiceOf = (params: Record<string, string | string[] | undefined>): Choice => ({
  to: single(params.to),
  id: single(params.id),
  view: single(params.view),
})

function addressOf(choice: Choice): string {
  const query = new URLSearchParams(
    Object.entries(choice).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
  return query.size === 0 ? '/dev/mail' : `/dev/mail?${query}`
}
