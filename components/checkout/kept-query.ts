/** The part of a page's query that the pages after it keep: whether it is embedded, and the language it asks for. */
export function keptQueryOf(query: URLSearchParams): string {
  const kept = String(new URLSearchParams([...query].filter(([name]) => name === 'embed' || name === 'lang')))
  return kept && `?${kept}`
}
