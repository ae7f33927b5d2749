'use client'

import type { ButtonHTMLAttributes, ReactElement } from 'react'
import { classes } from './classes'
import { Spinner } from './spinner'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg'

const variants = {
  primary: 'bg-press text-press-ink border-press-edge hover:bg-press/86',
  secondary: 'bg-pane text-ink border-edge hover:border-ink hover:bg-well',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-well',
  danger: 'bg-pane text-bad border-bad/55 hover:border-bad hover:bg-bad-soft',
} satisfies Record<ButtonVariant, string>

const sizes = {
  sm: 'min-h-8 px-3 text-sm gap-1.5',
  md: 'min-h-10 px-4 text-sm gap-2',
  // On phones with large text a long word is broken rather than cut off.
  lg: 'min-h-12 px-5 text-base gap-2.5 hyphens-auto wrap-anywhere',
} satisfies Record<ButtonSize, string>

export function buttonClasses(variant: ButtonVariant, size: ButtonSize, className?: string): string {
  return classes(
    'inline-flex items-center justify-center rounded-md border font-medium leading-tight no-underline select-none',
    'transition-colors duration-150 active:translate-y-px',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-progress aria-disabled:opacity-70',
    variants[variant],
    sizes[size],
    className,
  )
}

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Shows a spinner and ignores clicks; the button keeps the focus. */
  busy?: boolean
  icon?: ReactElement | false
  ref?: React.Ref<HTMLButtonElement>
}

export function Button({
  variant = 'secondary',
  size = 'md',
  busy = false,
  icon,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={busy ? 'button' : type}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={buttonClasses(variant, size, className)}
    >
      {busy ? <Spinner /> : icon}
      <span className="contents">{children}</span>
    </button>
  )
}
