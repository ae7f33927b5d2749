-- Filters of a list of the dashboard that a member gave a name. They are theirs alone.
CREATE TABLE saved_views (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  member_id uuid NOT NULL,
  -- The list's path below /dashboard.
  list text NOT NULL,
  name text NOT NULL,
  -- The list's query string.
  query text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT saved_views_organization_id_id_key UNIQUE (organization_id, id),
  CONSTRAINT saved_views_organization_id_member_id_list_name_key UNIQUE (organization_id, member_id, list, name),
  CONSTRAINT saved_views_organization_id_member_id_fkey FOREIGN KEY (organization_id, member_id)
    REFERENCES members (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_views TO vitrine_system, vitrine_app;
ALTER TABLE saved_views ENABLE ROW LEVEL SECURITY;
ALTER TABLE saved_views FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON saved_views TO vitrine_app
  USING (organization_id = (SELECT current_organization())) WITH CHECK (organization_id = (SELECT current_organization()));
CREATE POLICY system ON saved_views TO vitrine_system USING (true) WITH CHECK (true);
