import { TextLink } from '@/components/ui/text-link'

/** The way to the other links of whoever came with one that is of no use. */
export function AskForLinks() {
  return (
    <p className="text-sm">
      <TextLink href="/claims">Have the links of your gifts and purchases mailed again</TextLink>
    </p>
  )
}
