import { headingId } from '../../core/heading-id.ts'

/** A page's headings of the second level, with their anchors. Lines of code are none. */
export function headingsOf(markdown: string): { id: string; text: string }[] {
  let isCode = false
  return markdown.split('\n').flatMap((line) => {
    if (line.startsWith('```')) isCode = !isCode
    const text = isCode ? undefined : /^## (.+)$/.exec(line)?.[1]?.replaceAll('`', '')
    return text ? [{ id: headingId(text), text }] : []
  })
}
