'use client'

import type { MouseEvent, ReactElement, ReactNode } from 'react'
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { BulkAction as Run, BulkOutcome } from '@/lib/platform/api/form-action'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Tr } from '@/components/ui/table'
import { toast } from '@/components/ui/toaster'
import { hrefOf } from './href'

/** A row that can be chosen, and what can be done with it. */
export type BulkRow = { id: string; name: string; can: readonly string[] }
type Noun = readonly [one: string, several: string]

type Selection = {
  rows: readonly BulkRow[]
  noun: Noun
  chosen: ReadonlySet<string>
  hidden: ReadonlySet<string>
  choose: (id: string, on: boolean, upTo: boolean) => void
  chooseAll: (on: boolean) => void
  hide: (ids: readonly string[], on: boolean) => void
  /** Tells what became of an action's rows. Those that failed stay chosen. */
  settle: (outcome: BulkOutcome, said: (count: string) => string, after?: { label: string; do: () => void }) => void
}
const SelectionContext = createContext<Selection | null>(null)

function useSelection(): Selection {
  const selection = useContext(SelectionContext)
  if (!selection) throw new Error('This stands within a BulkList.')
  return selection
}

export const counted = (count: number, [one, several]: Noun): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`

/** A table whose rows can be chosen, and what can be done with those chosen, at the lower edge. */
export function BulkList({
  rows,
  noun,
  actions,
  children,
}: {
  rows: readonly BulkRow[]
  noun: Noun
  actions: ReactNode
  children: ReactNode
}) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [failed, setFailed] = useState<BulkOutcome | null>(null)
  const last = useRef<string | null>(null)
  // What isn't on the page any more isn't chosen either.
  const chosen = useMemo(
    () => new Set(rows.filter(({ id }) => marked.has(id) && !hidden.has(id)).map(({ id }) => id)),
    [rows, marked, hidden],
  )

  const selection: Selection = {
    rows,
    noun,
    chosen,
    hidden,
    choose(id, on, upTo) {
      const at = (one: string | null) => rows.findIndex((row) => row.id === one)
      const [from, to] = [at(upTo ? last.current : id), at(id)].sort((a, b) => a - b)
      const range = from! < 0 ? [id] : rows.slice(from, to! + 1).map((row) => row.id)
      last.current = id
      setMarked(new Set(on ? [...chosen, ...range] : [...chosen].filter((one) => !range.includes(one))))
    },
    chooseAll: (on) => setMarked(new Set(on ? rows.map(({ id }) => id) : [])),
    hide(ids, on) {
      setHidden((before) => new Set(on ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))))
      // What comes back isn't chosen any more: the next deletion is not about it.
      if (on) setMarked((before) => new Set([...before].filter((id) => !ids.includes(id))))
    },
    settle(outcome, said, after) {
      setMarked(new Set(outcome.failed.map(({ id }) => id)))
      setFailed(outcome.failed.length > 0 ? outcome : null)
      if (outcome.done.length === 0) return
      toast.success(
        said(counted(outcome.done.length, noun)),
        after && { action: { label: after.label, onClick: after.do }, duration: 10_000 },
      )
    },
  }
  return (
    <SelectionContext value={selection}>
      {failed && (
        <Alert tone="warning" live title={`${counted(failed.done.length, noun)} done, ${failed.failed.length} not:`}>
          <ul className="grid gap-1">
            {failed.failed.map(({ id, reason }) => (
              <li key={id} className="wrap-anywhere">
                {rows.find((row) => row.id === id)?.name ?? id}: {reason}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {children}
      <div aria-live="polite" className="sr-only">
        {chosen.size > 0 && `${counted(chosen.size, noun)} chosen`}
      </div>
      {chosen.size > 0 && (
        <section
          aria-label={`${noun[1]} chosen`}
          className="sticky bottom-4 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-edge bg-pane px-4 py-3 shadow-lift"
        >
          <p className="text-sm font-medium">{counted(chosen.size, noun)} chosen</p>
          <div className="flex grow flex-wrap gap-2">{actions}</div>
          <Button size="sm" variant="quiet" onClick={() => setMarked(new Set())}>
            Choose none
          </Button>
        </section>
      )}
    </SelectionContext>
  )
}

const box = 'size-4.5 accent-glass'

/** Chooses all rows of the page. */
export function BulkAll() {
  const { rows, chosen, chooseAll, noun } = useSelection()
  const all = useRef<HTMLInputElement>(null)
  const some = chosen.size > 0 && chosen.size < rows.length
  useEffect(() => {
    if (all.current) all.current.indeterminate = some
  }, [some])
  return (
    <label className="inline-flex min-h-6 items-center">
      <input
        ref={all}
        type="checkbox"
        className={box}
        checked={rows.length > 0 && chosen.size === rows.length}
        onChange={(event) => chooseAll(event.target.checked)}
      />
      <span className="sr-only">All {noun[1]} of this page</span>
    </label>
  )
}

/** Chooses one row; with the shift key, all from the last one up to it. */
export function BulkCheck({ id, name }: { id: string; name: string }) {
  const { chosen, choose } = useSelection()
  return (
    <label className="inline-flex min-h-8 items-center gap-2">
      <input
        type="checkbox"
        className={box}
        checked={chosen.has(id)}
        onChange={() => undefined}
        onClick={(event: MouseEvent<HTMLInputElement>) => choose(id, !chosen.has(id), event.shiftKey)}
      />
      <span className="sr-only">{name}</span>
    </label>
  )
}

/** A row that is gone from the eye while its deletion can still be taken back. */
export function BulkTr({ id, children }: { id: string; children: ReactNode }) {
  const selection = useContext(SelectionContext)
  return selection?.hidden.has(id) ? null : <Tr>{children}</Tr>
}

/** Those of the chosen rows with which it can be done. */
function useFitting(verb: string): { fitting: string[]; left: number; noun: Noun } {
  const { rows, chosen, noun } = useSelection()
  const fitting = rows.filter(({ id, can }) => chosen.has(id) && can.includes(verb)).map(({ id }) => id)
  return { fitting, left: chosen.size - fitting.length, noun }
}

const labelOf = (label: string, fitting: readonly string[], left: number) =>
  left > 0 && fitting.length > 0 ? `${label} ${fitting.length}` : label

type ActionProps = {
  /** What a row must be able to do (BulkRow.can). */
  verb: string
  label: string
  icon: ReactElement
  /** Why some of those chosen can't. */
  otherwise: string
}

/** Leads on with the rows chosen, to where more must be said. */
export function BulkLink({
  verb,
  label,
  icon,
  href,
  name,
  otherwise,
}: ActionProps & { href: string; /** In the address, once for each row. */ name: string }) {
  const { fitting, left } = useFitting(verb)
  if (fitting.length === 0) return <Unfit label={label} icon={icon} otherwise={otherwise} />
  return (
    <LinkButton size="sm" icon={icon} href={hrefOf(href, { [name]: fitting })}>
      {labelOf(label, fitting, left)}
    </LinkButton>
  )
}

const Unfit = ({ label, icon, otherwise }: Pick<ActionProps, 'label' | 'icon' | 'otherwise'>) => (
  <Button size="sm" icon={icon} disabled title={otherwise}>
    {label}
  </Button>
)

type BulkButtonProps = ActionProps & {
  action: Run
  title: string
  description: string
  confirm: string
  tone?: 'danger' | 'primary'
  /** What must be typed first, where there is no way back. */
  type?: string
  /** What is said when it is done: `Locked: # .` has # for "3 items". */
  done: string
  /** What takes it back, offered once it is done. */
  back?: { label: string; action: Run; done: string }
  /** Fields whose values the action needs. */
  children?: ReactNode
}

/** Asks, then does it with one row after the other. */
export function BulkButton({
  verb,
  label,
  icon,
  action,
  title,
  description,
  confirm,
  tone = 'primary',
  type,
  done,
  back,
  otherwise,
  children,
}: BulkButtonProps) {
  const { settle } = useSelection()
  const { fitting, left, noun } = useFitting(verb)
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [typed, setTyped] = useState('')
  const [problems, setProblems] = useState<string[]>([])
  const ready = type === undefined || typed.trim() === type
  if (fitting.length === 0 && !open) return <Unfit label={label} icon={icon} otherwise={otherwise} />

  const saying = (pattern: string) => (count: string) => pattern.replace('#', count)
  const failing = (ids: string[]) => (): BulkOutcome => ({
    done: [],
    failed: ids.map((id) => ({ id, reason: 'That did not work. Please try again.' })),
  })

  async function run(form: FormData) {
    if (!ready) return
    setBusy(true)
    const outcome = await action(fitting, form).catch(failing(fitting))
    setBusy(false)
    // Nothing was done: whatever is wrong is mended here.
    if (outcome.done.length === 0) return setProblems([...new Set(outcome.failed.map(({ reason }) => reason))])
    change(false)
    const takeBack =
      back &&
      (async () =>
        settle(await back.action(outcome.done, new FormData()).catch(failing(outcome.done)), saying(back.done)))
    settle(outcome, saying(done), takeBack && { label: back.label, do: () => void takeBack() })
  }

  function change(next: boolean) {
    setOpen(next)
    setTyped('')
    setProblems([])
  }

  return (
    <Dialog
      trigger={
        <Button size="sm" variant={tone === 'danger' ? 'danger' : 'secondary'} icon={icon}>
          {labelOf(label, fitting, left)}
        </Button>
      }
      title={title.replace('#', counted(fitting.length, noun))}
      description={description}
      open={open}
      onOpenChange={change}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void run(new FormData(event.currentTarget))
        }}
      >
        {left > 0 && (
          <p className="text-sm text-muted">{`${counted(left, noun)} of those chosen ${left === 1 ? 'is' : 'are'} left out. ${otherwise}`}</p>
        )}
        {type !== undefined && (
          <Field
            label={
              <>
                Type <span className="figures break-all">{type}</span> to go on
              </>
            }
          >
            <Input
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
        )}
        {children}
        {problems.length > 0 && (
          <Alert tone="danger" live>
            {problems.join(' ')}
          </Alert>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <DialogClose />
          <Button type="submit" variant={tone} busy={busy} disabled={!ready}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const UNDO_MS = 6_000

type BulkDeleteProps = ActionProps & {
  action: Run
  /** Where each can be deleted when the page is left: the id comes after it. */ endpoint: string
}

/** Deletes some seconds after it was asked for, so that it can be taken back. Who leaves the page before that has decided. */
export function BulkDelete({ verb, label, icon, action, endpoint, otherwise }: BulkDeleteProps) {
  const selection = useSelection()
  const { fitting, left, noun } = useFitting(verb)
  const current = useRef(selection)
  useEffect(() => {
    current.current = selection
  })

  function remove() {
    const ids = fitting
    let open = true
    const close = (): boolean => {
      const was = open
      open = false
      removeEventListener('pagehide', leave)
      return was
    }
    const leave = () => {
      if (close()) for (const id of ids) void fetch(`${endpoint}/${id}`, { method: 'DELETE', keepalive: true })
    }
    const commit = async () => {
      if (!close()) return
      const outcome = await action(ids, new FormData()).catch((): BulkOutcome => ({
        done: [],
        failed: ids.map((id) => ({ id, reason: 'That did not work. Please try again.' })),
      }))
      current.current.hide(
        outcome.failed.map(({ id }) => id),
        false,
      )
      current.current.settle(outcome, (count) => `Deleted: ${count}.`)
    }
    const undo = () => {
      if (close()) current.current.hide(ids, false)
    }
    addEventListener('pagehide', leave)
    selection.hide(ids, true)
    toast(`${counted(ids.length, noun)} will be deleted.`, {
      duration: UNDO_MS,
      action: { label: 'Undo', onClick: undo },
      onAutoClose: () => void commit(),
      onDismiss: () => void commit(),
    })
  }

  if (fitting.length === 0) return <Unfit label={label} icon={icon} otherwise={otherwise} />
  return (
    <Button size="sm" variant="danger" icon={icon} onClick={remove}>
      {labelOf(label, fitting, left)}
    </Button>
  )
}
