/** How a price is to be written: the field's hint, and its error. */
export const priceFormat = (decimals: number, currency: string): string =>
  decimals === 0
    ? `Write a whole number: ${currency} has nothing smaller.`
    : `Write a number such as 12.50, with at most ${decimals} digits after the point.`
