-- A token that came to our operator by a holder's signature that the books don't know, until it is decided for whom it is.
ALTER TYPE "HolderType" ADD VALUE 'ARRIVAL';
