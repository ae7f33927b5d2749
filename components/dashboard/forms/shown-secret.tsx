'use client'

import { useEffect, useRef } from 'react'
import { CopyButton } from '@/components/ui/copy-button'
import { guardForm } from './unsaved'

/**
 * A secret that is shown this once. Until it is copied, or a link says that it is stored, leaving the page asks first.
 */
export function ShownSecret({ value, label, testId }: { value: string; label: string; testId: string }) {
  const isKept = useRef(false)
  useEffect(
    () =>
      guardForm({
        isChanged: () => !isKept.current,
        isDraft: false,
        isSecret: true,
        settle: () => void (isKept.current = true),
      }),
    [],
  )
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-well px-4 py-3">
      <code className="figures min-w-0 break-all" data-testid={testId}>
        {value}
      </code>
      <CopyButton text={value} label={label} onCopied={() => (isKept.current = true)} showLabel />
    </div>
  )
}
