import type { Page } from '@playwright/test'

/** What is wrong with how the page looks, in words for whoever has to mend it. */
export const faultsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = []
    const named = (element: Element) =>
      `<${element.tagName.toLowerCase()} class="${String(element.getAttribute('class') ?? '').slice(0, 120)}"> ${(element.textContent ?? '').trim().slice(0, 60)}`
    const root = document.documentElement
    if (root.scrollWidth > innerWidth) {
      const wide = [...document.querySelectorAll('body *')].filter(
        (element) =>
          element.getBoundingClientRect().right > innerWidth + 0.5 &&
          !element.closest('[class*="overflow-x-auto"], [class*="overflow-auto"]'),
      )
      faults.push(
        `wider than the screen by ${root.scrollWidth - innerWidth} px: ${wide.slice(0, 3).map(named).join(' ; ')}`,
      )
    }
    const shown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.getBoundingClientRect().width > 1
    if (![...document.querySelectorAll('h1')].some((heading) => heading.checkVisibility({ visibilityProperty: true })))
      faults.push('no heading of level 1')
    for (const image of document.images)
      if (shown(image) && image.loading !== 'lazy' && !(image.complete && image.naturalWidth > 0))
        faults.push(`a broken picture: ${image.src}`)
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const style = getComputedStyle(element)
      const cuts = style.overflowX === 'hidden' || style.overflowX === 'clip'
      if (
        !cuts ||
        element.clientWidth <= 1 ||
        element.scrollWidth <= element.clientWidth + 1 ||
        !element.textContent?.trim() ||
        !shown(element)
      )
        continue
      const whole = element.title || element.closest('[title]') // cut with three dots, and said whole on hover
      if (style.textOverflow === 'ellipsis' && whole) continue
      faults.push(`text cut off: ${named(element)}`)
    }
    return faults
  })
