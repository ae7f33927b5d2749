type Values = Record<string, string | string[] | null | undefined>

/** A path with those of the values that say something. */
export function hrefOf(path: string, values: Values): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    [value ?? []]
      .flat()
      .filter(Boolean)
      .map((one) => [name, one]),
  )
  return pairs.length > 0 ? `${path}?${new URLSearchParams(pairs)}` : path
}
