-- A transfer that a token's holder signed and our operator sends.
ALTER TYPE "TransactionType" ADD VALUE 'SIGNED_TRANSFER';
