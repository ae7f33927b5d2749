-- Claims that were created in the part of a day that is left out of a period.
CREATE INDEX CONCURRENTLY email_claims_by_creation ON email_claims (organization_id, created_at);
