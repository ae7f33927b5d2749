-- Holders remove passkeys that they have added to their wallet.
GRANT DELETE ON wallet_copies TO vitrine_system;
