/** Whether a module belongs to one of these packages, which stay in node_modules. */
export const isLeftOut = (name: string, packages: readonly string[]): boolean =>
  packages.some((each) => name === each || name.startsWith(`${each}/`))

/**
 * The code of a module of our own that still finds the files beside its source, from a bundle at another place.
 * @param folder of the source, from the root
 * @param root from the bundle's folder
 */
export function withOwnPlace(code: string, folder: string, root: string): string {
  if (folder.startsWith('node_modules')) return code
  const place = `${root}/${folder}/`
  return code
    .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${place}`)})`)
    .replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`)
}
