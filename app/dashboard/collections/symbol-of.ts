/** A collection's name as a contract's symbol: at most five capitals and digits. */
export const symbolOf = (name: string): string =>
  name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, 5)
