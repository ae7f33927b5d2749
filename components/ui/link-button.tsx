'use client'

import type { ComponentProps, ReactElement } from 'react'
import { Link } from './link'
import { buttonClasses, type ButtonSize, type ButtonVariant } from './button'

type Props = ComponentProps<typeof Link> & {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactElement | false
}

/** A link that looks like a button. Apart from the button, since pages without one needn't load the router's link. */
export function LinkButton({ variant = 'secondary', size = 'md', icon, className, children, ...rest }: Props) {
  return (
    <Link {...rest} className={buttonClasses(variant, size, className)}>
      {icon}
      <span className="contents">{children}</span>
    </Link>
  )
}
