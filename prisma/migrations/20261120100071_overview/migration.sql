-- What holds everybody up is everybody's business: an operator without gas, a network that doesn't answer. These alarms belong to no organization and name none.
CREATE POLICY installation ON alarms FOR SELECT TO vitrine_app USING (organization_id IS NULL AND kind IN ('operator_low', 'chain_down'));

-- The overview's figures: what was minted lately, and what is wrong at the moment.
CREATE INDEX item_history_minted ON item_history (organization_id, timestamp) WHERE type = 'MINT';
CREATE INDEX email_claims_claimed ON email_claims (organization_id, redeemed_at) WHERE redeemed_at IS NOT NULL;
CREATE INDEX alarms_open ON alarms (organization_id, id) WHERE resolved_at IS NULL;
