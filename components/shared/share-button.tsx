'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { Check, Share2 } from 'lucide-react'
import { Button, type ButtonSize } from '@/components/ui/button'

type Props = {
  text: string
  /** A page of ours that anybody may open, or the address of another one; null: the text alone. */
  path: string | null
  label: string
  size?: ButtonSize
}

/** Shares a text with a link: by the device's own dialog, else by copying both. */
export function ShareButton({ text, path, label, size = 'md' }: Props) {
  const t = useTranslations('common')
  const [copied, setCopied] = useState(false)

  async function share() {
    const url = path === null ? null : new URL(path, location.origin).href
    // oxlint-disable-next-line typescript/no-unnecessary-condition -- many browsers of desks don't have it
    if (navigator.share) return navigator.share({ text, ...(url && { url }) }).catch(() => undefined)
    await navigator.clipboard.writeText(url ? `${text} ${url}` : text)
    setCopied(true)
  }

  const Icon = copied ? Check : Share2
  return (
    <>
      <Button size={size} onClick={() => void share()} icon={<Icon aria-hidden="true" className="size-5" />}>
        {copied ? t('copied') : label}
      </Button>
      <span role="status" className="sr-only">
        {copied ? t('copied') : ''}
      </span>
    </>
  )
}
