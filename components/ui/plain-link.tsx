import type { ComponentProps } from 'react'
import { classes } from './classes'

type Props = ComponentProps<'a'> & { href: string }

/**
 * A link inside text that the browser follows by itself, for pages that load little script and hence not the router's
 * link. Links to other sites open in a new tab without a referrer.
 */
export const PlainLink = ({ className, href, ...rest }: Props) => (
  <a {...rest} {...outsideLink(href)} href={href} className={textLinkClasses(className)} />
)

export const outsideLink = (href: unknown) =>
  typeof href === 'string' && /^https?:/.test(href) ? { rel: 'noreferrer noopener', target: '_blank' } : {}

export const textLinkClasses = (className?: string): string =>
  classes('rounded-sm text-glass underline decoration-glass/45 underline-offset-3 hover:decoration-glass', className)
