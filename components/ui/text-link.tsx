import type { ComponentProps } from 'react'
import { Link } from './link'
import { outsideLink, textLinkClasses } from './plain-link'

/** A link inside text. Links to other sites open in a new tab without a referrer. */
export const TextLink = ({ className, href, ...rest }: ComponentProps<typeof Link>) => (
  <Link {...rest} {...outsideLink(href)} href={href} className={textLinkClasses(className)} />
)
