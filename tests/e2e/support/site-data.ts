import type { Page } from '@playwright/test'

/**
 * A browser that blocks site data: storage throws at each touch, and says so of cookies. Those that are set are dropped
 * by the test.
 */
export const blockSiteData = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const blocked = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(window, name, { get: blocked, configurable: true })
    Object.defineProperty(navigator, 'cookieEnabled', { get: () => false })
  })

/** A browser whose storage has no room left. */
export const fillStorage = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  })

/** A device whose clock is wrong by so much. Nothing else of its time is. */
export const setDeviceClock = (page: Page, aheadMs: number): Promise<unknown> =>
  page.addInitScript((ahead) => {
    const Right = Date
    class Wrong extends Right {
      constructor(...given: [] | [number]) {
        super(...((given.length > 0 ? given : [Right.now() + ahead]) as [number]))
      }
      static override now() {
        return Right.now() + ahead
      }
    }
    window.Date = Wrong as DateConstructor
  }, aheadMs)
