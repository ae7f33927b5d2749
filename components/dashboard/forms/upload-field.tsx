'use client'

import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'next-intl'
import { ImageOff, X } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { StoredImage } from '@/components/ui/stored-image'
import { FormField } from './action-form'
import { DropZone } from './drop-zone'
import { losesMovement, pathOf, thumbOf, uploadFile, type UploadedFile } from './upload'
import { useUploadTexts } from './upload-texts'

export type UploadFieldProps = {
  /** The control's name with its type suffix: `image_url:null`. Errors belong to the part before the colon. */
  name: string
  label: ReactNode
  hint?: ReactNode
  defaultValue?: string | null
  required?: boolean
  optional?: boolean
  /** The preview's shape. */
  shape?: 'square' | 'wide'
  /** Receives the new value: the path of an uploaded file, a typed address, or an empty string. */
  onChange?: (address: string, file: UploadedFile | null) => void
}

/** An image: an uploaded file, which is shown, or an https address. The form sends the file's path, or the address. */
export function UploadField({
  name,
  label,
  hint,
  defaultValue,
  required,
  optional,
  shape = 'square',
  onChange,
}: UploadFieldProps) {
  const t = useTranslations('dashboard.common.upload')
  const tCommon = useTranslations('dashboard.common')
  const format = useFormatter()
  const textOf = useUploadTexts()
  const [address, setAddress] = useState(defaultValue ?? '')
  const [share, setShare] = useState<number | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [moving, setMoving] = useState<File | null>(null)
  const [status, setStatus] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  function put(next: string, file: UploadedFile | null) {
    setAddress(next)
    onChange?.(next, file)
  }
  // A value set by script fires no input event, but the surrounding form listens to them.
  const announced = useRef(address)
  useEffect(() => {
    if (announced.current !== address) input.current?.dispatchEvent(new Event('input', { bubbles: true }))
    announced.current = address
  }, [address])

  async function upload([file]: File[], still = false) {
    if (!file) return
    const controller = new AbortController()
    running.current = controller
    setFailure(null)
    setMoving(null)
    setStatus('')
    setShare(0)
    try {
      const uploaded = await uploadFile(file, { still, onProgress: setShare, signal: controller.signal })
      put(pathOf(uploaded.original), uploaded)
      setStatus(t('done', { name: file.name || t('picture') }))
    } catch (error) {
      if (losesMovement(error)) setMoving(file)
      if (!controller.signal.aborted) setFailure(textOf(error, file))
    } finally {
      if (running.current === controller) setShare(null)
    }
  }

  const thumb = thumbOf(address)
  return (
    <FormField
      name={name.split(':')[0]!}
      label={label}
      hint={hint}
      required={required}
      optional={optional}
      error={failure}
    >
      <DropZone
        onFiles={upload}
        busy={share !== null}
        button={address ? t('another') : t('choose')}
        label={t('file')}
        className="grid items-center justify-items-start gap-x-4 gap-y-3 p-3 sm:grid-cols-[auto_minmax(0,1fr)]"
      >
        <Preview thumb={thumb} shape={shape} />
        <div className="grid w-full min-w-0 gap-2 self-start sm:row-span-2">
          {thumb ? (
            <input
              ref={input}
              type="hidden"
              name={name}
              value={address}
              data-entered
              onInput={({ currentTarget: { value } }) => value !== address && put(value, null)}
            />
          ) : (
            <Input
              ref={input}
              name={name}
              inputMode="url"
              value={address}
              onChange={(event) => {
                setFailure(null)
                setMoving(null)
                put(event.target.value, null)
              }}
              placeholder="https://…"
              autoComplete="off"
              spellCheck={false}
            />
          )}
          {share !== null ? (
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
              <progress
                value={share < 1 ? share : undefined}
                max={1}
                aria-label={t('progress')}
                className="h-2 min-w-24 flex-1 accent-glass"
              />
              <span className="figures">
                {share < 1 ? `${format.number(Math.round(share * 100))} %` : t('processing')}
              </span>
              <Button size="sm" variant="quiet" onClick={() => running.current?.abort()}>
                {tCommon('cancel')}
              </Button>
            </div>
          ) : (
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
              {moving ? (
                <Button size="sm" onClick={() => void upload([moving], true)}>
                  {t('still')}
                </Button>
              ) : address ? (
                <Button
                  size="sm"
                  variant="quiet"
                  icon={<X aria-hidden="true" className="size-4" />}
                  onClick={() => put('', null)}
                  className="-ms-2"
                >
                  {t('remove')}
                </Button>
              ) : (
                t('lead')
              )}
            </p>
          )}
        </div>
      </DropZone>
      <p role="status" className="sr-only">
        {status}
      </p>
    </FormField>
  )
}

function Preview({ thumb, shape }: { thumb: string | null; shape: 'square' | 'wide' }) {
  const t = useTranslations('dashboard.common.upload')
  const size = shape === 'wide' ? 'h-20 w-40' : thumb ? 'size-32' : 'size-20'
  if (!thumb)
    return (
      <span className={`grid ${size} place-items-center rounded-sm bg-well text-muted`}>
        <ImageOff aria-hidden="true" className="size-5" />
      </span>
    )
  return <StoredImage src={thumb} alt={t('uploaded')} className={`${size} rounded-sm bg-well object-contain`} />
}
