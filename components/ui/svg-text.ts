import { Fragment, isValidElement, type ReactNode } from 'react'

/**
 * An SVG's elements as text. React's own renderer can't be used in route files: the React that Next builds them with
 * has no such part. The elements must be plain ones, without components.
 */
export function svgText(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(svgText).join('')
  if (!isValidElement<Attributes>(node)) return ''
  const { children, ...attributes } = node.props
  if (node.type === Fragment) return svgText(children)
  const written = Object.entries(attributes).map(([name, value]) => ` ${nameOf(name)}="${escape(String(value))}"`)
  return `<${String(node.type)}${written.join('')}>${svgText(children)}</${String(node.type)}>`
}

type Attributes = { children?: ReactNode; [name: string]: unknown }

/** JSX has `strokeWidth` where SVG has `stroke-width`. */
const nameOf = (name: string): string =>
  name === 'viewBox' ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!)
