/** Whether the person has pressed anything since the page was loaded. Until then the focus stays where the browser put it. */
export const hasActed = (): boolean =>
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- older browsers don't have it
  navigator.userActivation?.hasBeenActive ?? true
