'use client'

import type { ReactElement, ReactNode } from 'react'
import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { Alert } from './alert'
import { Button } from './button'
import type { ButtonVariant } from './button'

export type DialogProps = {
  /** The element that opens it, such as a Button. Leave it out when `open` is given. */
  trigger?: ReactElement<Record<string, unknown>>
  title: ReactNode
  description?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children?: ReactNode
}

/** A modal dialog; a sheet at the lower edge on a phone. The library handles focus, Escape and the inert page. */
export function Dialog({ trigger, title, description, open, onOpenChange, children }: DialogProps) {
  const t = useTranslations('common')
  return (
    <Base.Root open={open} onOpenChange={onOpenChange ? (next) => onOpenChange(next) : undefined}>
      {trigger && <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop
          className={
            'fixed inset-0 z-40 bg-veil transition-opacity duration-200 ' +
            'data-[ending-style]:opacity-0 data-[starting-style]:opacity-0'
          }
        />
        <Base.Popup
          className={
            'fixed inset-x-0 bottom-0 z-50 grid max-h-[88dvh] gap-4 overflow-y-auto ' +
            'rounded-t-lg border bg-pane p-6 text-ink shadow-lift transition-[opacity,transform] duration-200 ' +
            'ease-settle outline-none data-[ending-style]:translate-y-3 data-[ending-style]:opacity-0 ' +
            'data-[starting-style]:translate-y-3 data-[starting-style]:opacity-0 sm:inset-x-auto ' +
            'sm:bottom-auto sm:left-1/2 sm:top-1/2 sm:w-[min(30rem,calc(100vw-2rem))] sm:-translate-x-1/2 ' +
            'sm:-translate-y-1/2 sm:rounded-lg'
          }
        >
          <div className="flex items-start justify-between gap-4">
            <div>
              <Base.Title className="text-lg font-medium">{title}</Base.Title>
              {description && <Base.Description className="mt-1 text-sm text-muted">{description}</Base.Description>}
            </div>
            <Base.Close
              aria-label={t('close')}
              className={
                '-mt-1.5 -me-2 grid size-9 shrink-0 place-items-center rounded-md text-muted ' +
                'hover:bg-well hover:text-ink'
              }
            >
              <X aria-hidden="true" className="size-4.5" />
            </Base.Close>
          </div>
          <div className="contents">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Closes the dialog around it when pressed. */
export function DialogClose({ children, variant = 'quiet' }: { children?: ReactNode; variant?: ButtonVariant }) {
  const t = useTranslations('common')
  return <Base.Close render={<Button variant={variant}>{children ?? t('cancel')}</Button>} />
}

export type ConfirmDialogProps = {
  /** The element that opens it. Leave it out when `open` is given. */
  trigger?: ReactElement<Record<string, unknown>>
  open?: boolean
  onOpenChange?: (open: boolean) => void
  title: ReactNode
  /** Says what will happen, and whether it can be undone. */
  description: ReactNode
  confirm: string
  tone?: 'danger' | 'primary'
  /** Resolves with a sentence when it did not work; the dialog then stays open and shows it. */
  onConfirm: () => Promise<string | void>
  children?: ReactNode
}

/** Asks for confirmation before something that can't be undone. */
export function ConfirmDialog({
  trigger,
  title,
  description,
  confirm,
  tone = 'danger',
  onConfirm,
  children,
  ...given
}: ConfirmDialogProps) {
  const t = useTranslations('common')
  const [openHere, setOpenHere] = useState(false)
  const { open = openHere, onOpenChange: setOpen = setOpenHere } = given
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function run() {
    setBusy(true)
    setProblem(null)
    const failure = await onConfirm().catch(() => t('failed'))
    setBusy(false)
    if (failure) setProblem(failure)
    else setOpen(false)
  }

  return (
    <Dialog trigger={trigger} title={title} description={description} open={open} onOpenChange={setOpen}>
      <div className="contents">{children}</div>
      {problem && (
        <Alert tone="danger" live>
          {problem}
        </Alert>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <DialogClose />
        <Button variant={tone} busy={busy} onClick={run}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}
