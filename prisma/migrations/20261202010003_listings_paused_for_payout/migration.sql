-- Of a paused listing: it paused because the payout address was removed, and not because somebody paused it.
ALTER TABLE listings ADD COLUMN paused_for_payout boolean NOT NULL DEFAULT false;
