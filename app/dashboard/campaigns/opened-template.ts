import type { getTemplate } from '@/lib/messaging/templates/get-template'
import type { Opened } from '@/lib/platform/api/form-action'
import { shownOf } from '@/lib/platform/http/changed-fields'

type Template = Awaited<ReturnType<typeof getTemplate>>

/**
 * The words of a place, which its editor is compared with. One without words of its own has none that could be
 * overwritten.
 */
export function openedTemplate(template: Template): Opened {
  if (template.versions.length === 0) return {}
  return shownOf(template, template.blocks ? ['subject', 'blocks'] : ['subject', 'text', 'format', 'body'])
}
