import mustache from 'mustache'

type Token = [kind: string, value: string, start: number, end: number, inside?: Token[], closedAt?: number]

// Its own cache would grow with every draft.
const writer = Object.assign(new mustache.Writer(), { templateCache: undefined })

/** Texts that are shorter are parsed as they are. */
const SHORT = 64
const [BEGIN, END] = ['\uE000', '\uE001']

/**
 * A template as Mustache parses it. Mustache makes a token of each character first, which takes a template of 1 MB a
 * fifth of a second: it gets a mark in place of each long text. Whether a tag stands alone on its line decides about
 * spaces, so lines with a tag stay lines with one.
 */
export function parseMustache(template: string): unknown {
  const parts = template.split(/(\{\{[^]*?\}\})/)
  const isOdd = parts.some((part, at) => at % 2 === 0 && part.includes('{{')) || /\{\{\{|\uE000/.test(template)
  if (isOdd) return writer.parse(template) // no template that was checked
  const texts: string[] = []
  const mark = (text: string) => (text.length < SHORT ? text : `${BEGIN}${texts.push(text) - 1}${END}`)
  const ofLine = (text: string) => (text.trim() === '' ? text : mark(text))
  const shortened = parts
    .map((part, at) => {
      if (at % 2 === 1) return part
      const [first, last] = [part.indexOf('\n'), part.lastIndexOf('\n')]
      if (first === -1) return ofLine(part)
      const between = first === last ? '' : `${mark(part.slice(first + 1, last))}\n`
      return `${ofLine(part.slice(0, first))}\n${between}${ofLine(part.slice(last + 1))}`
    })
    .join('')
  const whole = (tokens: readonly Token[]): Token[] =>
    tokens.map(([kind, value, start, end, inside, closedAt]) => {
      const text = kind === 'text' ? value.replace(/\uE000(\d+)\uE001/g, (_, at: string) => texts[Number(at)]!) : value
      return inside ? [kind, text, start, end, whole(inside), closedAt!] : [kind, text, start, end]
    })
  return whole(writer.parse(shortened) as Token[])
}
