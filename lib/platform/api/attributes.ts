import { z } from 'zod'
import { json, safeString, uuid } from '../../core/wire.ts'

/** Text with line breaks and tabs, at most 10,000 characters. */
export const multilineText = z
  .string()
  .max(10_000)
  .regex(/^(?:[^\p{Cc}]|[\n\r\t])*$/u, 'Control characters are not allowed.')

export const httpsUrl = z
  .string()
  .max(2048)
  .pipe(z.url({ protocol: /^https$/, error: 'An https address is needed.' }))

/** An https URL, or an uploaded file by its path or full URL (with http too, for installations without https). */
export const imageUrl = z
  .string()
  .max(2048)
  .refine((text) => UPLOADED.test(text) || httpsUrl.safeParse(text).success, 'An https address is needed.')
const UPLOADED = /^(?:https?:\/\/[^/?#]+)?\/media\/[A-Za-z0-9_-]+\.[a-z]{3,4}$/

/** The id of an item type; the built-in type's id is `default`. */
export const itemTypeId = z
  .union([uuid, z.literal('default')], 'Expected the id of an item type, or default.')
  .describe('Id of an item type, or `default`: the built-in one, with title, description and image_url.')

const MAX_ATTRIBUTES_BYTES = 64 * 1024

/** An item's title and description in other languages. */
export const itemTranslations = z
  .record(
    z.string().min(2).max(35),
    z.strictObject({ title: safeString.trim().min(1).optional(), description: multilineText.optional() }),
  )
  .refine((given) => Object.keys(given).length <= 30, 'At most 30 languages are possible.')
  .refine(
    (given) => JSON.stringify(given).length <= MAX_ATTRIBUTES_BYTES,
    'All translations together take at most 64 KiB.',
  )
  .meta({ id: 'ItemTranslations', example: { de: { title: 'Mondblume', description: 'Öffnet sich um neun.' } } })
export const shownTranslations = itemTranslations
  .optional()
  .describe('Title and description in other languages, by locale; missing where there are none.')
export type ItemTranslations = z.output<typeof itemTranslations>

/** Names that JavaScript gives a meaning of its own. */
const RESERVED = new Set(['__proto__', 'constructor'])
const MAX_ATTRIBUTES = 100

/** An attribute's name as it is stored: one form of Unicode (NFC), without blanks around it. */
export const attributeNameOf = (name: string): string => name.normalize('NFC').trim()

/** Names that are given in two forms; that of a field of ours in another form counts as both. */
function sameNamesIn(names: readonly string[]): string[] {
  const seen = new Set<string>(['title', 'description', 'image_url'].filter((name) => !names.includes(name)))
  return names.filter((name) => seen.size === seen.add(attributeNameOf(name)).size)
}

/** An item's attributes by name; null removes one. The item type's JSON Schema is checked later, by the verb. */
export const attributes = z
  .object({
    title: safeString.trim().min(1),
    description: multilineText.nullish(),
    image_url: imageUrl.nullish(),
  })
  .catchall(json)
  .superRefine((given, issues) => {
    for (const name of sameNamesIn(Object.keys(given)))
      issues.addIssue({ code: 'custom', path: [name], message: `“${attributeNameOf(name)}” is given twice.` })
  })
  .overwrite((given) => {
    const named = Object.entries(given).map(([name, value]) => [attributeNameOf(name), value] as const)
    return Object.fromEntries(named) as typeof given
  })
  .superRefine((given, issues) => {
    const names = Object.keys(given)
    const bad = names.find((name) => !/^[^\p{Cc}:]{1,100}$/u.test(name))
    if (bad !== undefined)
      issues.addIssue({
        code: 'custom',
        path: [bad],
        message: 'An attribute’s name has 1 to 100 characters, none of them a colon.',
      })
    const reserved = names.find((name) => RESERVED.has(name))
    if (reserved !== undefined)
      issues.addIssue({ code: 'custom', path: [reserved], message: 'An attribute can’t have this name.' })
    if (names.length > MAX_ATTRIBUTES)
      return issues.addIssue({ code: 'custom', message: `An item has at most ${MAX_ATTRIBUTES} attributes.` })
    if (JSON.stringify(given).length > MAX_ATTRIBUTES_BYTES)
      return issues.addIssue({ code: 'custom', message: 'The attributes of an item have at most 64 KiB.' })
    for (const { path, message } of inexactIn(given)) issues.addIssue({ code: 'custom', path, message })
  })
  .meta({
    id: 'Attributes',
    example: {
      title: 'Moonflower',
      description: 'Opens at nine.',
      image_url: 'https://example.com/moonflower.png',
      colour: 'white',
    },
  })

type Inexact = { path: string[]; message: string }

/** Values that would be stored as others. The JSON of a body may hold them, and so may a cell of an imported table. */
function inexactIn(value: unknown, path: string[] = []): Inexact[] {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return [{ path, message: 'A whole number beyond 9007199254740991 is not kept exactly. Send it as text.' }]
  if (typeof value === 'string' && value.includes('\0'))
    return [{ path, message: 'Control characters are not allowed.' }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => inexactIn(inner, [...path, name]))
}

/** `name:value`. The first colon separates them. */
export const attributeFilter = z
  .string()
  .max(1000)
  .regex(/^[^:]+:/, 'Write it as name:value.')
