'use client'

import type { ReactElement } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'next-intl'
import type { BulkAction, BulkOutcome } from '@/lib/platform/api/form-action'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { toast } from '@/components/ui/toaster'
import { ConfirmForm } from '../forms/confirm-form'
import { useFailureTexts } from '../forms/failure-texts'
import type { Confirmation } from '../forms/confirm-form'
import { NO_RESPONSE } from '../forms/no-response'
import { useSelection } from './bulk-list'
import { counted } from './counted'
import { hrefOf } from './href'

type ActionProps = {
  /** Applies to the rows that have it in BulkRow.can. */
  verb: string
  label: string
  icon: ReactElement
  /** Why some of the chosen rows are left out. */
  otherwise: string
}

/** The chosen rows that an action applies to, how many it leaves out, and its label. */
function useEligible({ verb, label }: ActionProps) {
  const { rows, chosen } = useSelection()
  const ids = rows.filter(({ id, can }) => chosen.has(id) && can.includes(verb)).map(({ id }) => id)
  const left = chosen.size - ids.length
  return { ids, left, label: left > 0 && ids.length > 0 ? `${label} ${ids.length}` : label }
}

const DisabledAction = ({ label, icon, otherwise }: ActionProps) => (
  <Button size="sm" icon={icon} disabled title={otherwise}>
    {label}
  </Button>
)

/** Opens another page with the chosen rows, in the query parameter `name`. */
export function BulkLink({ href, name, ...action }: ActionProps & { href: string; name: string }) {
  const { ids, label } = useEligible(action)
  if (ids.length === 0) return <DisabledAction {...action} />
  return (
    <LinkButton size="sm" icon={action.icon} href={hrefOf(href, { [name]: ids })}>
      {label}
    </LinkButton>
  )
}

/** The outcome when the server didn't answer. */
const failureOf = (ids: readonly string[]): BulkOutcome => ({
  done: [],
  failed: ids.map((id) => ({ id, reason: NO_RESPONSE.message, failure: NO_RESPONSE })),
})

type BulkButtonProps = ActionProps &
  Confirmation & {
    action: BulkAction
    /** Shown when it is done, with "3 items" in place of #. */
    done: string
    /** The action that undoes it, offered once it is done. */
    undo?: { action: BulkAction; done: string }
  }

/** Asks for confirmation, then runs the action on the chosen rows. # in `title` and `done` stands for "3 items". */
export function BulkButton(props: BulkButtonProps) {
  const { verb, label, icon, otherwise, action, title, tone = 'primary', done, undo, children, ...confirmation } = props
  const t = useTranslations('dashboard.common.bulk')
  const locale = useLocale()
  const { rowReason } = useFailureTexts()
  const { report, noun } = useSelection()
  const eligible = useEligible({ verb, label, icon, otherwise })
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  if (eligible.ids.length === 0 && !open) return <DisabledAction {...{ verb, label, icon, otherwise }} />

  const rowsOf = (count: number) => counted(count, noun, locale)
  const message = (pattern: string) => (count: string) => pattern.replace('#', count)

  async function run(form: FormData) {
    setBusy(true)
    const outcome = await action(eligible.ids, form).catch(() => failureOf(eligible.ids))
    setBusy(false)
    // Nothing was done, so the dialog stays open and shows why.
    if (outcome.done.length === 0) return setProblem([...new Set(outcome.failed.map(rowReason))].join(' '))
    setOpen(false)
    setProblem(null)
    report(outcome, message(done), undo && (() => void runUndo(undo, outcome.done)))
  }

  async function runUndo({ action, done }: NonNullable<BulkButtonProps['undo']>, ids: string[]) {
    const outcome = await action(ids, new FormData()).catch(() => failureOf(ids))
    report(outcome, message(done))
    if (outcome.failed.length > 0)
      toast.error(t('notRestored', { count: outcome.failed.length, rows: rowsOf(outcome.failed.length) }))
  }

  return (
    <ConfirmForm
      {...confirmation}
      tone={tone}
      trigger={
        <Button size="sm" variant={tone === 'danger' ? 'danger' : 'secondary'} icon={icon}>
          {eligible.label}
        </Button>
      }
      title={title.replace('#', rowsOf(eligible.ids.length))}
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        setProblem(null)
      }}
      busy={busy}
      problem={problem}
      onConfirm={run}
      intro={eligible.left > 0 && t('left', { count: eligible.left, rows: rowsOf(eligible.left), why: otherwise })}
    >
      {children}
    </ConfirmForm>
  )
}

/** How long deleted rows wait before they are really deleted. */
const DELETED_AFTER_MS = 6_000

type BulkDeleteProps = ActionProps & {
  action: BulkAction
  /** The API's path for deleting a row, without its id: used when the page is left before the deletion ran. */
  endpoint: string
}

/**
 * Hides the rows at once and deletes them some seconds later, so that it can be undone until then. Leaving the page
 * deletes them.
 */
export function BulkDelete({ action, endpoint, ...props }: BulkDeleteProps) {
  const t = useTranslations('dashboard.common')
  const locale = useLocale()
  const selection = useSelection()
  const { ids, label } = useEligible(props)
  // The deletion runs after later renders, so it needs the selection of that time.
  const latest = useRef(selection)
  useEffect(() => {
    latest.current = selection
  })

  function remove() {
    let pending = true
    /** False when the deletion was already run or undone. */
    const close = (): boolean => {
      const wasPending = pending
      pending = false
      removeEventListener('pagehide', onLeave)
      return wasPending
    }
    const onLeave = () => {
      if (close()) for (const id of ids) void fetch(`${endpoint}/${id}`, { method: 'DELETE', keepalive: true })
    }
    const commit = async () => {
      if (!close()) return
      const outcome = await action(ids, new FormData()).catch(() => failureOf(ids))
      latest.current.hide(
        outcome.failed.map(({ id }) => id),
        false,
      )
      latest.current.report(outcome, (rows) => t('bulk.deleted', { rows }))
    }
    const undo = () => {
      if (close()) latest.current.hide(ids, false)
    }
    addEventListener('pagehide', onLeave)
    selection.hide(ids, true)
    toast(t('bulk.toDelete', { rows: counted(ids.length, selection.noun, locale) }), {
      duration: DELETED_AFTER_MS,
      action: { label: t('undo'), onClick: undo },
      onAutoClose: () => void commit(),
      onDismiss: () => void commit(),
    })
  }

  if (ids.length === 0) return <DisabledAction {...props} />
  return (
    <Button size="sm" variant="danger" icon={props.icon} onClick={remove}>
      {label}
    </Button>
  )
}
