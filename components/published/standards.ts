/** The standards of token contracts by their own names. */
export const STANDARDS = { ERC721: 'ERC-721', ERC1155: 'ERC-1155' } as const
