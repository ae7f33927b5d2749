-- A token in custody that its holder sent to a mailbox.
ALTER TYPE "HolderType" ADD VALUE 'ESCROW';
