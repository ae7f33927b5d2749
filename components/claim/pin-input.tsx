import { useState } from 'react'
import type { ChangeEvent, ClipboardEvent, Ref } from 'react'
import { classes } from '@/components/ui/classes'
import { useField } from '@/components/ui/field'
import { plainDigits } from '@/lib/core/digits'

export const PIN_DIGITS = 6

type PinInputProps = {
  ref: Ref<HTMLInputElement>
  pin: string
  busy: boolean
  onChange: (pin: string) => void
}

const digitsOf = (text: string): string => plainDigits(text).replace(/\D/g, '').slice(0, PIN_DIGITS)

/**
 * Six boxes that show what is typed into the one field that lies over them: phones fill it in, what is pasted goes in
 * whole, and screen readers hear a single field. Its text is transparent, in forced colours too, and the caret stays
 * behind the last digit.
 */
export function PinInput({ ref, pin, busy, onChange }: PinInputProps) {
  const field = useField()
  const [focused, setFocused] = useState(false)
  const next = focused ? Math.min(pin.length, PIN_DIGITS - 1) : -1

  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const digits = digitsOf(event.clipboardData.getData('text'))
    event.preventDefault()
    if (digits) onChange(digits)
  }

  return (
    <div dir="ltr" className="relative max-w-88">
      <div aria-hidden="true" className="grid grid-cols-6 gap-2">
        {Array.from({ length: PIN_DIGITS }, (_, at) => (
          <span
            key={at}
            className={classes(
              'figures grid h-14 place-items-center rounded-md border bg-pane !text-2xl',
              field['aria-invalid'] ? 'border-bad' : 'border-edge',
              at === next && 'outline-2 outline-offset-1 outline-glass',
            )}
          >
            {pin[at]}
          </span>
        ))}
      </div>
      <input
        {...field}
        ref={ref}
        name="pin"
        inputMode="numeric"
        autoComplete="one-time-code"
        enterKeyHint="done"
        pattern="[0-9]*"
        value={pin}
        readOnly={busy}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(digitsOf(event.target.value))}
        onPaste={paste}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onSelect={({ currentTarget: input }) => input.setSelectionRange(input.value.length, input.value.length)}
        className={
          'absolute inset-0 w-full rounded-md bg-transparent text-transparent caret-transparent outline-none ' +
          'forced-color-adjust-none selection:bg-transparent'
        }
      />
    </div>
  )
}
