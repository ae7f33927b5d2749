'use client'

/** Names and values of controls, in the order of the form. */
export type Values = (readonly [name: string, value: string])[]

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement

const isTicked = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')

/**
 * The controls whose values a person enters. Left out: passwords, files, hidden fields unless they are marked as set by
 * a person, and controls inside `data-in-parts`, whose values the form keeps in another way.
 */
function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(isControl).filter((control) => {
    if (control.name === '' || control.name.startsWith('$') || control.closest('[data-in-parts]')) return false
    if (control.type === 'hidden') return 'entered' in control.dataset
    return !['password', 'file', 'submit', 'button', 'reset'].includes(control.type)
  })
}

export const valuesOf = (form: HTMLFormElement): Values =>
  controlsOf(form).flatMap((control) =>
    isTicked(control) && !control.checked ? [] : [[control.name, control.value] as const],
  )

/** The values of a form as the page came with it, without those that were typed before scripts listened. */
export const cameWith = (form: HTMLFormElement): Values =>
  controlsOf(form).flatMap((control) =>
    isTicked(control) && !control.defaultChecked ? [] : [[control.name, defaultOf(control)] as const],
  )

/** An untouched control of the kind tells how the browser writes a default: line feeds, moments. */
function defaultOf(control: Control): string {
  if (isTicked(control)) return control.value
  if (control instanceof HTMLSelectElement)
    return ([...control.options].find(({ defaultSelected }) => defaultSelected) ?? control).value
  const untouched = document.createElement(control instanceof HTMLInputElement ? 'input' : 'textarea')
  if (untouched instanceof HTMLInputElement) untouched.type = control.type
  untouched.defaultValue = control.defaultValue
  return untouched.value
}

/**
 * Enters values as a person would, so that React hears of it, except where they are those that the page `came` with: it
 * may come with newer ones. Returns whether that changed anything.
 */
export function enterValues(form: HTMLFormElement, values: Values, came: Values): boolean {
  const left = Map.groupBy(values, ([name]) => name)
  const known = new Set(left.keys())
  const [entered, before] = [values, came].map((all) => Map.groupBy(all, ([name]) => name))
  const isTouched = (name: string) => JSON.stringify(entered!.get(name)) !== JSON.stringify(before!.get(name))
  let changed = false
  for (const control of controlsOf(form).filter(({ name }) => isTouched(name))) {
    const given = left.get(control.name) ?? []
    if (isTicked(control)) {
      const wanted = given.some(([, value]) => value === control.value)
      if (control.checked === wanted || (control.type === 'radio' && !wanted)) continue
      control.click()
    } else {
      const [next] = given.splice(0, 1)
      if (!next || !known.has(control.name) || next[1] === control.value) continue
      setValue(control, next[1])
      for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))
    }
    changed = true
  }
  return changed
}

/** React replaces `value` of its own elements, and takes a value set there for its own. */
function setValue(control: Control, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')!.set!.call(control, value)
}
