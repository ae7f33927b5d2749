-- Who wants no more gifts by mail of an organization. What was paid or asked for is mailed nevertheless.
CREATE TABLE mail_opt_outs (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  email text NOT NULL,
  -- The campaign of the mail by which they unsubscribed; of one that was deleted, the id stays.
  campaign_id uuid,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT mail_opt_outs_organization_id_id_key UNIQUE (organization_id, id),
  CONSTRAINT mail_opt_outs_organization_id_email_key UNIQUE (organization_id, email)
);
CREATE INDEX mail_opt_outs_organization_id_campaign_id_idx ON mail_opt_outs (organization_id, campaign_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON mail_opt_outs TO vitrine_system, vitrine_app;
ALTER TABLE mail_opt_outs ENABLE ROW LEVEL SECURITY;
ALTER TABLE mail_opt_outs FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON mail_opt_outs TO vitrine_app
  USING (organization_id = (SELECT current_organization())) WITH CHECK (organization_id = (SELECT current_organization()));
CREATE POLICY system ON mail_opt_outs TO vitrine_system USING (true) WITH CHECK (true);

-- When the first mails of a campaign's gifts leave; null: at once.
ALTER TABLE campaigns ADD COLUMN send_at timestamptz(3);
