/** The title of a token whose contract gives it no name. */
export const numberedTitle = (collectionName: string, tokenId: string): string =>
  `${collectionName.slice(0, 170)} #${tokenId}`
