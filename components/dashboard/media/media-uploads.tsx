'use client'

import { useEffect, useRef, useState } from 'react'
import { useRouter } from 'next/navigation'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { DropZone } from '../forms/drop-zone'
import { sizeOf, uploadFile } from '../forms/upload'

type Upload = {
  key: number
  file: File
  share: number
  state: 'waiting' | 'running' | 'done' | 'failed'
  problem?: string
}

const AT_ONCE = 2

/** Uploads any number of files, two at a time. A failed one stays in the list with its reason. */
export function MediaUploads() {
  const router = useRouter()
  const [uploads, setUploads] = useState<Upload[]>([])
  const next = useRef(0)
  const started = useRef(new Set<number>())
  const change = (key: number, to: Partial<Upload>) =>
    setUploads((before) => before.map((one) => (one.key === key ? { ...one, ...to } : one)))

  useEffect(() => {
    const running = uploads.filter(({ state }) => state === 'running').length
    const waiting = uploads
      .filter(({ key, state }) => state === 'waiting' && !started.current.has(key))
      .slice(0, AT_ONCE - running)
    for (const { key, file } of waiting) {
      started.current.add(key)
      change(key, { state: 'running' })
      uploadFile(file, { onProgress: (share) => change(key, { share }) }).then(
        () => {
          change(key, { state: 'done', share: 1 })
          router.refresh()
        },
        (error: unknown) => change(key, { state: 'failed', problem: (error as Error).message }),
      )
    }
  }, [uploads, router])

  const busy = uploads.some(({ state }) => state === 'waiting' || state === 'running')
  const done = uploads.filter(({ state }) => state === 'done').length
  const failed = uploads.filter(({ state }) => state === 'failed').length
  return (
    <div className="grid gap-4">
      <DropZone
        multiple
        onFiles={(files) =>
          setUploads((before) => [
            ...before.filter(({ state }) => state !== 'done'),
            ...files.map((file): Upload => ({ key: next.current++, file, share: 0, state: 'waiting' })),
          ])
        }
        button="Choose files"
        label="Files"
        className="grid justify-items-center gap-3 bg-pane px-6 py-8 text-center"
      >
        <p className="font-medium">Drop pictures here, or paste one</p>
        <p className="max-w-md text-sm text-muted">
          JPEG, PNG, WebP, GIF, AVIF or SVG, up to 25 MiB each. What a file says about who made it, and where, is not
          kept.
        </p>
      </DropZone>
      {uploads.length > 0 && (
        <section aria-label="Uploads" className="grid gap-3 rounded-lg border bg-pane p-4">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p role="status" className="text-sm font-medium">
              {busy
                ? `${done} of ${uploads.length} uploaded`
                : [done > 0 && `${done} uploaded.`, failed > 0 && `${failed} not taken.`].filter(Boolean).join(' ')}
            </p>
            {!busy && (
              <Button size="sm" variant="quiet" onClick={() => setUploads([])}>
                Clear the list
              </Button>
            )}
          </div>
          <ul className="grid gap-2">
            {uploads.map((upload) => (
              <UploadLine key={upload.key} upload={upload} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function UploadLine({ upload: { file, share, state, problem } }: { upload: Upload }) {
  return (
    <li className="grid gap-1 text-sm">
      <div className="flex items-center gap-2">
        {state === 'done' && <CircleCheck aria-label="Uploaded" className="size-4 shrink-0 text-good" />}
        {state === 'failed' && <CircleAlert aria-label="Not taken" className="size-4 shrink-0 text-bad" />}
        <span className="min-w-0 grow wrap-anywhere">{file.name || 'Pasted picture'}</span>
        <span className="figures shrink-0 text-muted">
          {state === 'running' && share >= 1 ? 'Processing…' : sizeOf(file.size)}
        </span>
      </div>
      {(state === 'running' || state === 'waiting') && (
        <progress
          value={state === 'waiting' ? 0 : share < 1 ? share : undefined}
          max={1}
          aria-label={`Upload of ${file.name}`}
          className="h-2 w-full accent-glass"
        />
      )}
      {problem && <p className="text-bad">{problem}</p>}
    </li>
  )
}
