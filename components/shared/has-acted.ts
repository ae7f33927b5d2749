let acted = typeof window !== 'undefined' && window.hasPressedEarly === true

// Browsers may carry what they know of a person's presses over a reload, so the page notes them itself.
if (typeof window !== 'undefined')
  for (const kind of ['pointerdown', 'keydown'])
    window.addEventListener(kind, () => (acted = true), { capture: true, once: true, passive: true })

/**
 * Whether the person has pressed anything since the page was loaded. Until then the focus stays where the browser put
 * it.
 */
export const hasActed = (): boolean => acted
