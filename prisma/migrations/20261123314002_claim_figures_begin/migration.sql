-- The timer counts what is there already. A claim may be named twice.
INSERT INTO claim_changes (organization_id, claim_id) SELECT organization_id, id FROM email_claims;
