import { z } from 'zod'
import { safeString, uuid } from '../../core/wire.ts'

/** Text of several lines. */
export const prose = z
  .string()
  .max(10_000)
  .regex(/^(?:[^\p{Cc}]|[\n\r\t])*$/u, 'Control characters are not allowed.')

export const httpsUrl = z
  .string()
  .max(2048)
  .pipe(z.url({ protocol: /^https$/, error: 'An https address is needed.' }))

/** An https address, or a file that was uploaded: by its path, or in full (then http will do, on an installation that has no https). */
export const imageUrl = z
  .string()
  .max(2048)
  .refine((text) => UPLOADED.test(text) || httpsUrl.safeParse(text).success, 'An https address is needed.')
const UPLOADED = /^(?:https?:\/\/[^/?#]+)?\/media\/[A-Za-z0-9_-]+\.[a-z]{3,4}$/

/** The built-in type has a word for an id. */
export const itemTypeId = z
  .union([uuid, z.literal('default')])
  .describe('Id of an item type, or `default`: the built-in one, with title, description and image_url.')

const MOST_ATTRIBUTES = 100
const MOST_BYTES = 64 * 1024

/** An item's attributes by name. null removes one. What else they must be, their item type says. */
export const attributes = z
  .object({
    title: safeString.trim().min(1),
    description: prose.nullish(),
    image_url: imageUrl.nullish(),
  })
  .catchall(z.json())
  .superRefine((given, issues) => {
    const names = Object.keys(given)
    const bad = names.find((name) => !/^[^\p{Cc}:]{1,100}$/u.test(name))
    if (bad !== undefined)
      issues.addIssue({
        code: 'custom',
        path: [bad],
        message: 'An attribute’s name has 1 to 100 characters, none of them a colon.',
      })
    if (names.length > MOST_ATTRIBUTES)
      issues.addIssue({ code: 'custom', message: `An item has at most ${MOST_ATTRIBUTES} attributes.` })
    if (JSON.stringify(given).length > MOST_BYTES)
      issues.addIssue({ code: 'custom', message: 'The attributes of an item have at most 64 KiB.' })
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

export type Attributes = z.output<typeof attributes>

/** `name:value`, split at its first colon. */
export const attributeFilter = z
  .string()
  .max(1000)
  .regex(/^[^:]+:/, 'Write it as name:value.')
