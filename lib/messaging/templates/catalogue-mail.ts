import type { Locale } from '../../core/locales.ts'
import { mustacheOf } from './icu-to-mustache.ts'

/** A built-in mail: texts are Mustache. */
export type Template = {
  subject: string
  /** The preview line that mail clients show after the subject. */
  preheader: string
  heading: string
  /** Paragraphs above the button, or above the PIN. */
  lead: readonly string[]
  /** Whether the item's image stands above the heading, if there is one. */
  picture?: boolean
  button?: { label: string; url: string }
  /** Shown large, to be typed elsewhere. */
  code?: string
  /** Small print below. */
  notes: readonly string[]
  /** Its reader may unsubscribe, where nobody asked or paid for it. */
  isRefusable?: true
}

export const when = (name: string, text: string) => `{{#${name}}}${text}{{/${name}}}`
export const unless = (name: string, text: string) => `{{^${name}}}${text}{{/${name}}}`

export const headOf = ({ subject, preheader, heading }: Pick<Template, 'subject' | 'preheader' | 'heading'>) => ({
  subject,
  preheader,
  heading,
})

/** A part of a catalogue, such as the texts of one mail. */
type Texts = { readonly [key: string]: string | Texts }

/** The texts of a catalogue's part as Mustache. */
export const asMustache = <T extends Texts>(texts: T, locale: Locale): T =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === 'string' ? mustacheOf(text, locale) : asMustache(text, locale),
    ]),
  ) as T
