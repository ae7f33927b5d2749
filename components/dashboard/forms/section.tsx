import type { ReactNode } from 'react'
import { Checkbox } from '@/components/ui/checkbox'

/** A part of a form, with a heading. */
export function Section({
  title,
  description,
  children,
}: {
  title: string
  description?: string
  children: ReactNode
}) {
  return (
    <fieldset className="grid min-w-0 gap-4 border-t pt-5">
      <legend className="sr-only">{title}</legend>
      <div aria-hidden="true">
        <p className="text-lg font-medium">{title}</p>
        {description && <p className="text-sm text-muted">{description}</p>}
      </div>
      <div className="contents">{children}</div>
    </fieldset>
  )
}

/** A checkbox that also sends a value when it isn't checked. */
export function Flag({ name, checked, label, hint }: { name: string; checked: boolean; label: string; hint: string }) {
  return (
    <>
      <input type="hidden" name={`${name}:flag`} value="" />
      <Checkbox name={`${name}:flag`} defaultChecked={checked} label={label} hint={hint} />
    </>
  )
}
