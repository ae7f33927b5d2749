'use client'

import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react'
import { createContext, useContext, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslations } from 'next-intl'
import { classes } from '@/components/ui/classes'
import { useField } from '@/components/ui/field'
import { controlClasses } from '@/components/ui/input'
import { type ChipWords, htmlOf, offsetOf, partsBefore, readParts, select, selectionIn } from './chip-text'
import { mended, partsOf, textOf, unpairedOf } from './template-parts'

/** Puts words where the cursor was last, around what is selected where there are two. */
export type Insert = (before: string, after?: string) => void
type Surroundings = {
  variables: readonly { name: string; meaning: string }[]
  /** A field has the focus, into which this puts words. */
  onFocus: (insert: Insert) => void
}

const Context = createContext<Surroundings>({ variables: [], onFocus: () => undefined })

/** Names the variables of the mail to the texts within. */
export function TemplateTexts({ variables, onFocus, children }: Surroundings & { children: ReactNode }) {
  return <Context value={{ variables, onFocus }}>{children}</Context>
}

const MAX_UNDO = 200

type Props = {
  value: string
  onChange: (value: string) => void
  /** It may have several lines. */
  multiline?: boolean
}

/** A text of a template. Variables and conditions are chips: typing around them can't break them. */
export function TemplateText({ value, onChange, multiline = false }: Props) {
  const t = useTranslations('dashboard.campaigns.chips')
  const { variables, onFocus } = useContext(Context)
  const { id, required, ...field } = useField()
  const names = variables.map(({ name }) => name)
  const root = useRef<HTMLDivElement>(null)
  const last = useRef({ from: value.length, to: value.length })
  /** The text as it was edited last, which React may not have rendered yet. */
  const now = useRef(value)
  const undone = useRef<{ past: string[]; coming: string[] }>({ past: [], coming: [] })
  const wordsOf: ChipWords = ({ kind, name }) => {
    const meaning = variables.find((variable) => variable.name === name)?.meaning ?? name
    const key = ({ '': null, '#': 'if', '^': 'unless', '/': 'end' } as const)[kind]
    return { label: key ? t(key, { name }) : name, meaning }
  }
  const htmlFor = (text: string) => htmlOf(partsOf(text, names), wordsOf)
  const [first] = useState(() => ({ __html: htmlFor(value) }))

  function paint(text: string, caret: number | null) {
    root.current!.innerHTML = htmlFor(text)
    if (caret !== null) select(root.current!, caret)
  }

  /** Takes over what was edited. */
  function settle() {
    const element = root.current!
    const parts = readParts(element)
    const alone = unpairedOf(parts)
    const text = textOf(mended(parts, names))
    const range = selectionIn(element)
    const before = range ? partsBefore(element, range.endContainer, range.endOffset) : []
    const caret = textOf(before.filter((_, at) => !alone.has(parts[at]!))).length
    const isOther = htmlFor(text) !== htmlOf(parts, wordsOf)
    if (isOther || !element.lastChild || !(element.lastChild instanceof HTMLBRElement)) paint(text, range && caret)
    if (text === now.current) return
    undone.current = { past: [...undone.current.past, now.current].slice(-MAX_UNDO), coming: [] }
    now.current = text
    onChange(text)
  }

  function step(from: 'past' | 'coming', to: 'past' | 'coming') {
    const next = undone.current[from].pop()
    if (next === undefined) return
    undone.current[to].push(now.current)
    now.current = next
    paint(next, next.length)
    onChange(next)
    announce()
  }
  /** A text set by script fires no input event, but the surrounding form listens to them. */
  const announce = () => root.current!.dispatchEvent(new Event('input', { bubbles: true }))

  function write(words: string) {
    const range = selectionIn(root.current!)
    if (!range) return
    range.deleteContents()
    range.insertNode(new Text(multiline ? words.replace(/\r\n?/g, '\n') : words.replace(/\s*[\r\n]+\s*/g, ' ')))
    range.collapse(false)
    announce()
  }

  const insert: Insert = (before, after = '') => {
    const element = root.current!
    element.focus()
    const range = select(element, last.current.from, last.current.to)
    const chosen = readParts(range.cloneContents())
    const isAround = after !== '' && unpairedOf(chosen).size === 0
    if (after && !isAround) range.collapse(false)
    const inner = isAround ? textOf(chosen) : ''
    const start = offsetOf(element, range.startContainer, range.startOffset)
    write(before + inner + after)
    select(element, start + before.length + inner.length)
  }

  const beforeInput = useEffectEvent((event: InputEvent) => {
    const { inputType } = event
    if (!/^(insertParagraph|insertLineBreak|insertFromDrop|format|history)/.test(inputType)) return
    event.preventDefault()
    if (inputType === 'historyUndo') step('past', 'coming')
    else if (inputType === 'historyRedo') step('coming', 'past')
    else if (!/^insert(Paragraph|LineBreak)/.test(inputType)) return
    else if (multiline) write('\n')
    else root.current!.closest('form')?.requestSubmit()
  })
  useEffect(() => {
    const element = root.current!
    const listen = (event: InputEvent) => beforeInput(event)
    element.addEventListener('beforeinput', listen)
    return () => element.removeEventListener('beforeinput', listen)
  }, [])

  // Restored drafts and other templates come from outside.
  useLayoutEffect(() => {
    now.current = value
    if (textOf(readParts(root.current!)) !== value) root.current!.innerHTML = htmlFor(value)
  })

  function onKeyDown(event: KeyboardEvent) {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/i.test(event.key)
    if (!isUndo) return
    event.preventDefault()
    if (event.shiftKey || event.key.toLowerCase() === 'y') step('coming', 'past')
    else step('past', 'coming')
  }

  function onCopy(event: ClipboardEvent, isCut: boolean) {
    const range = selectionIn(root.current!)
    if (!range || range.collapsed) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', textOf(readParts(range.cloneContents())))
    if (isCut) write('')
  }

  return (
    <div
      ref={root}
      role="textbox"
      tabIndex={0}
      contentEditable
      suppressContentEditableWarning
      aria-multiline={multiline}
      aria-labelledby={id && `${id}-label`}
      aria-required={required || undefined}
      {...field}
      id={id}
      onFocus={() => onFocus(insert)}
      onBlur={() => {
        const range = selectionIn(root.current!)
        if (!range) return
        const at = (node: Node, offset: number) => offsetOf(root.current!, node, offset)
        last.current = {
          from: at(range.startContainer, range.startOffset),
          to: at(range.endContainer, range.endOffset),
        }
      }}
      onInput={(event) => {
        if (!event.nativeEvent.isComposing) settle()
      }}
      onCompositionEnd={settle}
      onKeyDown={onKeyDown}
      onCopy={(event) => onCopy(event, false)}
      onCut={(event) => onCopy(event, true)}
      onPaste={(event) => {
        event.preventDefault()
        write(event.clipboardData.getData('text/plain'))
      }}
      className={classes(
        controlClasses,
        'min-h-10 px-3 py-2 whitespace-pre-wrap wrap-anywhere',
        multiline && 'min-h-24',
      )}
      // Escaped by htmlOf. React leaves it alone: the browser edits it.
      dangerouslySetInnerHTML={first}
    />
  )
}
