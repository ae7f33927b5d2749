import vm from 'node:vm'

/** How the files begin that Next evaluates to learn what a page is made of. All they do is to assign JSON. */
const MANIFEST = /^globalThis\.__RSC\w+\s*=/

/**
 * Next evaluates the manifest of each page in a context of its own and keeps what it gives, and with that the context:
 * 160 kB of objects and 90 kB besides for each page. Copies of the values let it go. To be called before Next loads a
 * page.
 */
export function releaseManifestContexts(): void {
  const { runInNewContext } = vm
  vm.runInNewContext = (code, given = {}, options) => {
    if (typeof given !== 'object' || !MANIFEST.test(code)) return runInNewContext(code, given, options) as unknown
    const context = { ...given }
    runInNewContext(code, context, options)
    for (const [name, value] of Object.entries(context)) if (value !== given[name]) given[name] = structuredClone(value)
    return undefined
  }
}
