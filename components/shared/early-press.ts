declare global {
  interface Window {
    /** Somebody pressed a button before its scripts were ready. */
    hasPressedEarly?: boolean
  }
}

/**
 * Keeps the last press of a button that isn't hydrated yet, repeats it once it is, and keeps its form from being sent
 * without scripts. Parts of a page are hydrated one after the other, so each button is asked by the property that React
 * gives it. It runs as an inline script, so it uses nothing from outside. Links, and forms with an action, work by
 * themselves. Where a script can't be loaded, a press loads the page again.
 */
function watchPresses(): void {
  const REPEAT_MS = 30
  let pressed: HTMLButtonElement | null = null
  let isBroken = false
  const isHydrated = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))
  const needsScript = (form: HTMLFormElement) => !isHydrated(form) && !form.hasAttribute('action')

  function onClick(event: Event) {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button || button.disabled || isHydrated(button)) return
    if (button.type === 'submit' && button.form && !needsScript(button.form)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (isBroken) return location.reload()
    if (!pressed) setTimeout(repeat, REPEAT_MS)
    pressed?.removeAttribute('data-pressed')
    pressed = button
    button.setAttribute('data-pressed', '')
    window.hasPressedEarly = true
  }
  // By a timer: React loses an event that is sent while it hydrates.
  function repeat() {
    const button = pressed!
    if (button.isConnected && !isHydrated(button)) return void setTimeout(repeat, REPEAT_MS)
    pressed = null
    button.removeAttribute('data-pressed')
    button.click()
  }
  function onSubmit(event: Event) {
    if (needsScript(event.target as HTMLFormElement)) event.preventDefault()
  }
  function onError(event: Event) {
    if (!(event.target instanceof HTMLScriptElement)) return
    isBroken = true
    if (pressed) location.reload()
  }

  addEventListener('click', onClick, true)
  addEventListener('submit', onSubmit, true)
  addEventListener('error', onError, true)
}

/** The inline script. */
export const WATCH_PRESSES = `(${watchPresses.toString()})()`
