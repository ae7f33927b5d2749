'use client'

import { classes } from '@/components/ui/classes'
import { type Part, sourceOf, type Tag, textOf } from './template-parts'

/** The label of a chip, and the meaning of its variable. */
export type ChipWords = (tag: Tag) => { label: string; meaning: string }

/**
 * Part by part: texts, and a chip for each tag, which can only be removed as a whole. A line break at the end keeps the
 * last line open.
 */
export const htmlOf = (parts: readonly Part[], wordsOf: ChipWords): string =>
  `${parts.map((part) => (typeof part === 'string' ? escaped(part) : chipOf(part, wordsOf(part)))).join('')}<br>`

function chipOf(tag: Tag, { label, meaning }: ReturnType<ChipWords>): string {
  const look = classes(
    'mx-px inline-block max-w-full rounded-sm px-1.5 align-baseline text-sm select-all',
    tag.kind === '' ? 'figures bg-glass-soft text-glass' : 'border bg-well text-muted',
  )
  return (
    `<span contenteditable="false" data-tag="${tag.kind}${tag.name}" title="${escaped(meaning)}" ` +
    `class="${look}">${escaped(label)}</span>`
  )
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Reads the parts that stand in an element, or in a part of it. */
export function readParts(root: Node): Part[] {
  const parts: Part[] = []
  const read = (node: Node) => {
    const tag = node instanceof HTMLElement && node.dataset.tag
    if (tag) parts.push({ kind: (/^[#^/]/.exec(tag)?.[0] ?? '') as Tag['kind'], name: tag.replace(/^[#^/]/, '') })
    else if (node instanceof Text) parts.push(node.data)
    else if (node instanceof HTMLBRElement) {
      if (node.parentNode !== root || node.nextSibling) parts.push('\n')
    } else {
      if (node instanceof HTMLDivElement && parts.length > 0) parts.push('\n')
      node.childNodes.forEach(read)
    }
  }
  root.childNodes.forEach(read)
  return parts
}

/** The selection within an element as ranges of its text; null: it is elsewhere. */
export function selectionIn(root: HTMLElement): Range | null {
  const selection = document.getSelection()
  const range = selection?.rangeCount ? selection.getRangeAt(0) : null
  return range && root.contains(range.commonAncestorContainer) ? range : null
}

/** The pieces before a place. */
export function partsBefore(root: HTMLElement, node: Node, offset: number): Part[] {
  const range = document.createRange()
  range.setStart(root, 0)
  range.setEnd(node, offset)
  const before = range.cloneContents()
  before.append('') // so that no line break is the last one
  return readParts(before)
}

export const offsetOf = (root: HTMLElement, node: Node, offset: number): number =>
  textOf(partsBefore(root, node, offset)).length

/** Selects from one place in the text to another. */
export function select(root: HTMLElement, from: number, to = from): Range {
  const range = document.createRange()
  range.setStart(...placeOf(root, from))
  range.setEnd(...placeOf(root, to))
  const selection = document.getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
  return range
}

function placeOf(root: HTMLElement, offset: number): [Node, number] {
  let left = offset
  for (const [at, node] of [...root.childNodes].entries()) {
    if (node instanceof Text && left <= node.length) return [node, left]
    if (left <= 0 || (node instanceof HTMLBRElement && !node.nextSibling)) return [root, at]
    const holder = document.createElement('div')
    holder.append(node.cloneNode(true), '')
    left -= readParts(holder).map(sourceOf).join('').length
  }
  return [root, root.childNodes.length]
}
