-- The mailbox behind the address (lib/core/mailbox.ts): how many tokens were sent to it is counted by it, whatever its spelling.
ALTER TABLE escrows ADD COLUMN mailbox text;
