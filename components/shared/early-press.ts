declare global {
  interface Window {
    /** Ends the watch, and gives the button that was pressed last. */
    takeEarlyPress?: () => HTMLButtonElement | null
  }
}

/**
 * Notes the last button that was pressed before the page's scripts were ready, and keeps its form from being sent
 * without them. It runs as an inline script, so it uses nothing from outside. Links, and forms with an action, work by
 * themselves. Where a script can't be loaded, a press loads the page again.
 */
function watchPresses(): void {
  let pressed: HTMLButtonElement | null = null
  let isBroken = false
  const needsScript = (form: HTMLFormElement | null) => !form?.hasAttribute('action')

  function onClick(event: Event) {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button || button.disabled || (button.type === 'submit' && button.form && !needsScript(button.form))) return
    event.preventDefault()
    pressed?.removeAttribute('data-pressed')
    pressed = button
    button.setAttribute('data-pressed', '')
    if (isBroken) location.reload()
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
  window.takeEarlyPress = () => {
    removeEventListener('click', onClick, true)
    removeEventListener('submit', onSubmit, true)
    removeEventListener('error', onError, true)
    pressed?.removeAttribute('data-pressed')
    return pressed
  }
}

/** The inline script. */
export const WATCH_PRESSES = `(${watchPresses.toString()})()`
