type Values = Record<string, string | string[] | null | undefined>

/** A path with a query of the values that aren't empty. */
export function hrefOf(path: string, values: Values): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    [value ?? []]
      .flat()
      .filter(Boolean)
      .map((one) => [name, one]),
  )
  return pairs.length > 0 ? `${path}?${new URLSearchParams(pairs)}` : path
}
