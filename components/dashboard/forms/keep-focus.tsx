'use client'

import { useEffect } from 'react'

/** Where the focus was: the element, what it is called, and what stood around it, innermost first. */
type Place = { element: HTMLElement; name: string; around: { element: HTMLElement; at: number }[]; path: string }

const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([type=hidden], [disabled]), select:not([disabled]), ' +
  'textarea:not([disabled]), summary, [contenteditable=true]'

/**
 * Keeps the focus on the page when its element goes, as buttons do whose action is done: it moves to the control of the
 * same name, else to what stands at the same place, else to the heading. On a new page that leaves it nowhere, it moves
 * to the heading. The dashboard has one, for all its pages.
 */
export function KeepFocus() {
  useEffect(() => {
    const main = document.getElementById('content')!
    let last: Place | null = null
    /** The page on which the focus was somewhere last. */
    let path = location.pathname
    let frame = 0

    const remember = ({ target }: Pick<FocusEvent, 'target'>) => {
      if (target instanceof HTMLElement && target !== main && main.contains(target)) last = placeOf(target, main)
    }
    // Who presses beside everything wants no focus.
    const forget = ({ target, relatedTarget }: FocusEvent) =>
      setTimeout(() => {
        if (!relatedTarget && last?.element === target && canFocus(last.element) && isLost() && !isAsked()) last = null
      })
    const restore = () => {
      frame = 0
      if (isAsked()) return
      if (!isLost()) return void (path = location.pathname)
      if (last && canFocus(last.element)) return last.element.focus({ preventScroll: true })
      const next = last ? successorOf(last, main) : path === location.pathname ? null : headingOf(main)
      next?.focus({ preventScroll: true })
    }
    const changes = new MutationObserver(() => (frame ||= requestAnimationFrame(restore)))

    remember({ target: document.activeElement }) // It was there before the scripts.
    // Captured: React stops what reaches a part of the page that it hasn't hydrated yet.
    document.addEventListener('focusin', remember, true)
    document.addEventListener('focusout', forget, true)
    changes.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', remember, true)
      document.removeEventListener('focusout', forget, true)
      changes.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [])
  return null
}

const isLost = () => document.activeElement === null || document.activeElement === document.body
/** A dialog is open, or closes: it gives the focus back itself. */
const isAsked = () => document.querySelector('[role=dialog], [role=alertdialog]') !== null
const canFocus = (element: HTMLElement) =>
  element.isConnected && element.checkVisibility() && !element.matches(':disabled')

const focusables = (container: HTMLElement) => [...container.querySelectorAll<HTMLElement>(FOCUSABLE)]

const nameOf = (element: HTMLElement): string =>
  [element.tagName, element.getAttribute('name'), element.getAttribute('aria-label') ?? labelOf(element)].join(' ')

function labelOf(element: HTMLElement): string {
  if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element.isContentEditable)
    return document.getElementById(`${element.id}-label`)?.textContent ?? ''
  return element.textContent.trim()
}

function placeOf(element: HTMLElement, main: HTMLElement): Place {
  const around: Place['around'] = []
  for (let outer = element.parentElement; outer && main.contains(outer); outer = outer.parentElement)
    around.push({ element: outer, at: focusables(outer).indexOf(element) })
  return { element, name: nameOf(element), around, path: location.pathname }
}

function successorOf({ name, around, path }: Place, main: HTMLElement): HTMLElement | null {
  const left = path === location.pathname ? around.filter(({ element }) => element.isConnected) : []
  for (const { element } of left) {
    const same = focusables(element).find((each) => nameOf(each) === name && canFocus(each))
    if (same) return same
  }
  for (const { element, at } of left) {
    if (element.querySelector('h1')) break
    const others = focusables(element)
    const next = others.slice(at).find(canFocus) ?? others.findLast(canFocus)
    if (next) return next
  }
  return headingOf(main)
}

function headingOf(main: HTMLElement): HTMLElement | null {
  const heading = main.querySelector<HTMLElement>('h1')
  heading?.setAttribute('tabindex', '-1')
  return heading
}
