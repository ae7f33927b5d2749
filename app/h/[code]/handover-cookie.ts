/** Holds the token of a claim that was handed over to this browser, for the page of that handover alone. */
export const HANDOVER_COOKIE = 'vitrine_handover'
