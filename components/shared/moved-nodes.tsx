/**
 * Translators and extensions of browsers move and replace nodes that React has made. Where React then inserts before
 * such a node, or removes it, the page goes on instead of failing. A net for what the lint rule `lone-text` can't see.
 * It is set before React begins, so it stands in the page.
 */
export const MovedNodes = ({ nonce }: { nonce: string | undefined }) => (
  // Browsers hide the nonce from scripts, so React finds another one.
  <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: `(${setNet.toString()})()` }} />
)

/** Runs in the page, by its source. */
function setNet(): void {
  const { insertBefore, removeChild } = Node.prototype
  const MOST_REPORTS = 20
  let reports = 0
  function report(): void {
    if (reports++ < MOST_REPORTS) fetch('/health/moved-node', { keepalive: true }).catch(() => {})
  }
  /** The child of `parent` that `node` stands in by now. */
  function childAround(parent: Node, node: Node): Node | null {
    let child: Node | null = node
    while (child && child.parentNode !== parent) child = child.parentNode
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    if (!before || before.parentNode === this) return insertBefore.call(this, node, before) as T
    report()
    return insertBefore.call(this, node, childAround(this, before)) as T
  }
  Node.prototype.removeChild = function <T extends Node>(this: Node, node: T): T {
    if (node.parentNode === this) return removeChild.call(this, node) as T
    report()
    const child = childAround(this, node)
    if (child) removeChild.call(this, child)
    return node
  }
}
