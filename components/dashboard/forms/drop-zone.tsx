'use client'

import type { ClipboardEvent, DragEvent, ReactNode } from 'react'
import { useRef, useState } from 'react'
import { Upload } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { ACCEPTED } from './upload'

export type DropZoneProps = {
  onFiles: (files: File[]) => void
  multiple?: boolean
  busy?: boolean
  /** The label of the button. */
  button: string
  /** File types of the file dialog; images unless given. */
  accept?: string
  /** The label of the hidden file input. */
  label: string
  children?: ReactNode
  className?: string
}

/** Accepts files by drag and drop, by paste and by the file dialog. */
export function DropZone({
  onFiles,
  multiple = false,
  busy = false,
  button,
  label,
  accept = ACCEPTED,
  children,
  className,
}: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = (files: Iterable<File>) => {
    const given = [...files].slice(0, multiple ? undefined : 1)
    if (given.length > 0 && !busy) onFiles(given)
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }

  function paste(event: ClipboardEvent) {
    if (event.clipboardData.files.length === 0) return // pasted text isn't for us
    event.preventDefault()
    take(event.clipboardData.files)
  }

  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onPaste={paste}
      className={classes(
        'rounded-md border border-dashed transition-colors',
        over ? 'border-glass bg-glass-soft' : 'border-edge',
        className,
      )}
    >
      <div className="contents">{children}</div>
      <Button
        size="sm"
        busy={busy}
        icon={<Upload aria-hidden="true" className="size-4" />}
        onClick={() => input.current?.click()}
      >
        {button}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={multiple}
        tabIndex={-1}
        aria-hidden="true"
        aria-label={label}
        className="hidden"
        onChange={(event) => {
          take(event.target.files ?? [])
          event.target.value = '' // so that the same file can be chosen again
        }}
      />
    </div>
  )
}
