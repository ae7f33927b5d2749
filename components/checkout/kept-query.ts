/** What the pages after this one keep of its address: whether it is embedded, and the language it asks for. */
export function keptQueryOf(query: URLSearchParams): string {
  const kept = String(new URLSearchParams([...query].filter(([name]) => name === 'embed' || name === 'lang')))
  return kept && `?${kept}`
}
