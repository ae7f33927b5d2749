'use client'

import { useEffect, useRef, useState } from 'react'
import { useLocale, useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { DropZone } from '../forms/drop-zone'
import { losesMovement, sizeOf, uploadFile } from '../forms/upload'
import { useUploadTexts } from '../forms/upload-texts'

type Upload = {
  key: number
  file: File
  share: number
  still?: boolean
  state: 'waiting' | 'running' | 'done' | 'failed'
  failure?: unknown
}

const AT_ONCE = 2

/** Uploads any number of files, two at a time. A failed one stays in the list with its reason. */
export function MediaUploads() {
  const t = useTranslations('dashboard.media')
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
    for (const { key, file, still } of waiting) {
      started.current.add(key)
      change(key, { state: 'running' })
      uploadFile(file, { still, onProgress: (share) => change(key, { share }) }).then(
        () => {
          change(key, { state: 'done', share: 1 })
          router.refresh()
        },
        (failure: unknown) => change(key, { state: 'failed', failure }),
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
        button={t('choose')}
        label={t('files')}
        className="grid justify-items-center gap-3 bg-pane px-6 py-8 text-center"
      >
        <p className="font-medium">{t('drop')}</p>
        <p className="max-w-md text-sm text-muted">{t('formats')}</p>
      </DropZone>
      {uploads.length > 0 && (
        <section aria-label={t('uploads')} className="grid gap-3 rounded-lg border bg-pane p-4">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p role="status" className="text-sm font-medium">
              {busy
                ? t('progress', { done, all: uploads.length })
                : [done > 0 && t('done', { count: done }), failed > 0 && t('failed', { count: failed })]
                    .filter(Boolean)
                    .join(' ')}
            </p>
            {!busy && (
              <Button size="sm" variant="quiet" onClick={() => setUploads([])}>
                {t('clear')}
              </Button>
            )}
          </div>
          <ul className="grid gap-2">
            {uploads.map((upload) => (
              <UploadLine
                key={upload.key}
                upload={upload}
                onStill={() => {
                  started.current.delete(upload.key)
                  change(upload.key, { state: 'waiting', still: true })
                }}
              />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function UploadLine({ upload: { file, share, state, failure }, onStill }: { upload: Upload; onStill: () => void }) {
  const t = useTranslations('dashboard.media')
  const tUpload = useTranslations('dashboard.common.upload')
  const locale = useLocale()
  const textOf = useUploadTexts()
  return (
    <li className="grid gap-1 text-sm">
      <div className="flex items-center gap-2">
        {state === 'done' && <CircleCheck aria-label={t('uploaded')} className="size-4 shrink-0 text-good" />}
        {state === 'failed' && <CircleAlert aria-label={t('notTaken')} className="size-4 shrink-0 text-bad" />}
        <span className="min-w-0 grow wrap-anywhere">{file.name || t('pasted')}</span>
        <span className="figures shrink-0 text-muted">
          {state === 'running' && share >= 1 ? t('processing') : sizeOf(file.size, locale)}
        </span>
      </div>
      {(state === 'running' || state === 'waiting') && (
        <progress
          value={state === 'waiting' ? 0 : share < 1 ? share : undefined}
          max={1}
          aria-label={t('uploadOf', { name: file.name })}
          className="h-2 w-full accent-glass"
        />
      )}
      {state === 'failed' && <p className="text-bad">{textOf(failure, file)}</p>}
      {state === 'failed' && losesMovement(failure) && (
        <Button size="sm" onClick={onStill} className="justify-self-start">
          {tUpload('still')}
        </Button>
      )}
    </li>
  )
}
