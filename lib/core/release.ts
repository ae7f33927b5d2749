/** The release that this code is, or that it follows. `npm run release` writes it. */
export const RELEASE = '1.0.0'
