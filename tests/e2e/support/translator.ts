import type { BrowserContext } from '@playwright/test'

/**
 * Puts elements in the place of each text of the context's pages, also of each new one, as translators of browsers do.
 * A character without width makes each text another one; locators overlook it. `net`: whether the pages' own net may
 * catch what React does to such texts.
 */
export async function translate(context: BrowserContext, { net = false } = {}): Promise<void> {
  await context.addInitScript((withNet) => {
    for (const name of withNet ? [] : (['insertBefore', 'removeChild'] as const)) {
      const own = Node.prototype[name]
      Object.defineProperty(Node.prototype, name, { get: () => own, set: () => {} })
    }
    const FONT: string = 'font' // what translators use, though it is deprecated
    const SKIPPED = 'script, style, noscript, textarea, title, svg, font'
    const wrap = (text: Text) => {
      if (!text.data.trim() || !text.parentElement || text.parentElement.closest(SKIPPED)) return
      const outer = document.createElement(FONT)
      outer.appendChild(document.createElement(FONT)).textContent = `${text.data}\u200b`
      text.replaceWith(outer)
    }
    const wrapAll = (node: Node) => {
      if (node instanceof Text) wrap(node)
      const texts: Text[] = []
      for (const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT); walker.nextNode();)
        texts.push(walker.currentNode as Text)
      texts.forEach(wrap)
    }
    document.addEventListener('DOMContentLoaded', () => {
      wrapAll(document.body)
      new MutationObserver((records) => {
        for (const { target, addedNodes } of records) {
          if (target instanceof Text) wrap(target)
          addedNodes.forEach(wrapAll)
        }
      }).observe(document.body, { childList: true, characterData: true, subtree: true })
    })
  }, net)
}
