import type { ComponentProps } from 'react'
import Link from 'next/link'
import { classes } from './classes'

/** A link inside text. Links to other sites open in a new tab without a referrer. */
export function TextLink({ className, href, ...rest }: ComponentProps<typeof Link>) {
  const outside = typeof href === 'string' && /^https?:/.test(href)
  return (
    <Link
      {...rest}
      {...(outside ? { rel: 'noreferrer noopener', target: '_blank' } : {})}
      href={href}
      className={classes(
        'rounded-sm text-glass underline decoration-glass/45 underline-offset-3 hover:decoration-glass',
        className,
      )}
    />
  )
}
