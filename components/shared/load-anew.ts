/**
 * Loads the page again. A script that failed to load fails again at once as long as the page stays, since browsers
 * remember it.
 */
export const loadAnew = (): void => location.reload()

/** Whether a script of ours couldn't be loaded: the connection broke, or a newer release has replaced it. */
export const isScriptMissing = ({ name }: Error): boolean => name === 'ChunkLoadError'
