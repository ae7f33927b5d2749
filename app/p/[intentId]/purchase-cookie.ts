/** The secret of a purchase, for its own page in a browser without script. */
export const PURCHASE_COOKIE = 'vitrine_purchase'
