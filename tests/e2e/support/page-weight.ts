import type { Browser, BrowserContext } from '@playwright/test'

/** What a page costs the browser that opens it for the first time. Bytes are those of bodies as they were sent. */
export type PageWeight = { scriptBytes: number; fontBytes: number; largestPaintMs: number; blockedMs: number }

type Noted = { largestPaintMs: number; blockedMs: number }
declare global {
  interface Window {
    noted: Noted
  }
}

/** A phone of the middle class on a mobile network. */
const SLOW = { latency: 84, downloadThroughput: 1_000_000, uploadThroughput: 1_000_000, offline: false }
const CPU_TIMES_SLOWER = 4
/** Longer work on the page's thread delays what its user does. */
const LONG_TASK_MS = 50

/** Opens a page with an empty cache, on a slow phone if asked, and waits until it loads nothing more. */
export async function weigh(
  browser: Browser,
  url: string,
  { slow = false, cookies = [] as Awaited<ReturnType<BrowserContext['cookies']>> } = {},
): Promise<PageWeight> {
  const context = await browser.newContext({ viewport: { width: 390, height: 664 } })
  try {
    await context.addCookies(cookies)
    const page = await context.newPage()
    if (slow) {
      const session = await context.newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.emulateNetworkConditions', SLOW)
      await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_TIMES_SLOWER })
    }
    await page.addInitScript((longTaskMs) => {
      // A page waits for changes with a request of 25 seconds, which loads nothing: without it, the page comes to rest.
      const { fetch } = window
      window.fetch = (...call) => (/\/changes\?/.test(String(call[0])) ? new Promise(() => {}) : fetch(...call))
      window.noted = { largestPaintMs: 0, blockedMs: 0 }
      const note = (type: string, take: (entry: PerformanceEntry) => void) =>
        new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
      note('largest-contentful-paint', ({ startTime }) => (window.noted.largestPaintMs = startTime))
      note('longtask', ({ duration }) => (window.noted.blockedMs += duration - longTaskMs))
    }, LONG_TASK_MS)
    await page.goto(url, { waitUntil: 'networkidle' })
    const { files, noted } = await page.evaluate(() => ({
      files: (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
        ({ name, encodedBodySize }) => ({ path: new URL(name).pathname, bytes: encodedBodySize }),
      ),
      noted: window.noted,
    }))
    const bytesOf = (ending: RegExp) =>
      files.filter(({ path }) => ending.test(path)).reduce((sum, { bytes }) => sum + bytes, 0)
    return { scriptBytes: bytesOf(/\.js$/), fontBytes: bytesOf(/\.woff2$/), ...noted }
  } finally {
    await context.close()
  }
}
