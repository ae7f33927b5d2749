'use client'

import type { MouseEvent, ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'next-intl'
import { Download, X } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { toast } from '@/components/ui/toaster'
import { useFailureTexts } from './failure-texts'

const SHOWN_EVERY_MS = 200
const LINE_END = 10

/**
 * A link that downloads a CSV file and says meanwhile how many lines have come. Without scripts the browser downloads
 * it by itself.
 */
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
  const t = useTranslations('dashboard.common')
  const { textOfCode } = useFailureTexts()
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
      toast.success(t('download.done', { lines: t('download.lines', { count }) }))
    } catch (error) {
      if (controller.signal.aborted) return
      const { reason, problem } = error instanceof DownloadFailure ? error : new DownloadFailure('failed')
      toast.error(problem ? textOfCode(problem.code, problem.detail) : t(`download.${reason}`))
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
        className={
          'inline-flex items-center justify-center rounded-md border border-edge bg-pane ' +
          'text-sm leading-tight font-medium text-ink transition-colors hover:border-ink hover:bg-well ' +
          (small ? 'min-h-8 gap-1.5 px-3' : 'min-h-10 gap-2 px-4')
        }
      >
        {lines === null ? <Download aria-hidden="true" className="size-4" /> : <Spinner />}
        <span className="contents">{children}</span>
      </a>
      {lines !== null && (
        <>
          <span role="status" className="px-1 text-sm text-muted figures">
            {t('download.lines', { count: lines })}
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
            {t('cancel')}
          </Button>
        </>
      )}
    </span>
  )
}

/** Why nothing was downloaded. `problem`: the code and the sentence of the server's answer. */
class DownloadFailure extends Error {
  readonly reason: 'failed' | 'brokeOff'
  readonly problem: { code: string; detail: string } | null

  constructor(reason: DownloadFailure['reason'], problem: DownloadFailure['problem'] = null) {
    super(reason)
    this.reason = reason
    this.problem = problem
  }
}

/** Fetches a file and counts its lines, without the heading. Throws a DownloadFailure. */
async function read(href: string, signal: AbortSignal, onLines: (lines: number) => void) {
  const answer = await fetch(href, { signal }).catch(() => null)
  if (!answer?.ok || !answer.body) throw new DownloadFailure('failed', await problemOf(answer))
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
  if (!file) throw new DownloadFailure('brokeOff')
  return { file, count: Math.max(0, count) }
}

async function problemOf(answer: Response | null): Promise<DownloadFailure['problem']> {
  const { code, detail } = ((await answer?.json().catch(() => null)) ?? {}) as { code?: unknown; detail?: unknown }
  return typeof detail === 'string' ? { code: String(code), detail } : null
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
