-- Whether nobody asked the receiver of a redeemed claim's token, since no node answered then: the sender asks before it signs.
ALTER TABLE mint_requests ADD COLUMN receiver_unasked boolean NOT NULL DEFAULT false;
