'use client'

import type { MouseEvent, ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { Download, X } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { toast } from '@/components/ui/toaster'
import { counted } from '../lists/counted'

const SHOWN_EVERY_MS = 200
const LINE_END = 10

/** A link that downloads a CSV file and says meanwhile how many lines have come. Without scripts the browser downloads it by itself. */
export function DownloadLink({
  href,
  name,
  small = false,
  children,
}: {
  href: string
  /** The file's name. */
  name?: string
  small?: boolean
  children: ReactNode
}) {
  const [lines, setLines] = useState<number | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function download(event: MouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (lines !== null) return
    const controller = new AbortController()
    running.current = controller
    setLines(0)
    try {
      const { file, count } = await read(href, controller.signal, setLines)
      save(file, name ?? href.replace(/\?.*/, '').replace(/.*\//, ''))
      toast.success(`Downloaded: ${counted(count, ['line', 'lines'])}.`)
    } catch (error) {
      if (!controller.signal.aborted) toast.error((error as Error).message)
    } finally {
      if (running.current === controller) setLines(null)
    }
  }

  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      <a
        href={href}
        download={name ?? true}
        onClick={(event) => void download(event)}
        aria-busy={lines !== null}
        className={`inline-flex items-center justify-center rounded-md border border-edge bg-pane text-sm leading-tight font-medium text-ink transition-colors hover:border-ink hover:bg-well ${small ? 'min-h-8 gap-1.5 px-3' : 'min-h-10 gap-2 px-4'}`}
      >
        {lines === null ? <Download aria-hidden="true" className="size-4" /> : <Spinner />}
        {children}
      </a>
      {lines !== null && (
        <>
          <span role="status" className="px-1 text-sm text-muted figures">
            {counted(lines, ['line', 'lines'])}
          </span>
          <Button
            size="sm"
            variant="quiet"
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={() => {
              running.current?.abort()
              setLines(null)
            }}
          >
            Cancel
          </Button>
        </>
      )}
    </span>
  )
}

/** Fetches a file and counts its lines, without the heading. Throws an Error with a sentence for a person. */
async function read(href: string, signal: AbortSignal, onLines: (lines: number) => void) {
  const answer = await fetch(href, { signal }).catch(() => null)
  if (!answer?.ok || !answer.body) throw new Error((await detailOf(answer)) ?? 'The download failed. Please try again.')
  let count = -1
  let shown = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      for (const byte of chunk) if (byte === LINE_END) count++
      if (performance.now() - shown > SHOWN_EVERY_MS) {
        shown = performance.now()
        onLines(Math.max(0, count))
      }
      controller.enqueue(chunk)
    },
  })
  // The browser keeps a large Blob on disk.
  const file = await new Response(answer.body.pipeThrough(counter)).blob().catch(() => null)
  if (!file) throw new Error('The download broke off. Please try again.')
  return { file, count: Math.max(0, count) }
}

const detailOf = async (answer: Response | null): Promise<string | undefined> => {
  const problem = (await answer?.json().catch(() => null)) as { detail?: unknown } | null
  return typeof problem?.detail === 'string' ? problem.detail : undefined
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
