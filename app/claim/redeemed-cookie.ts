/** Says to a claim's own page that this browser, without script, redeemed it. */
export const REDEEMED_COOKIE = 'vitrine_redeemed'
