-- outside a transaction
CREATE INDEX CONCURRENTLY organizations_web_domain_due ON organizations (web_domain_due_at) WHERE web_domain_due_at IS NOT NULL;
