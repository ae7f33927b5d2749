-- As all policies since policies_and_the_planner: by the function itself, so that the planner knows whose rows are asked for.
ALTER POLICY organization ON mail_opt_outs USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
ALTER POLICY organization ON claim_handovers USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
ALTER POLICY organization ON saved_views USING (organization_id = current_organization()) WITH CHECK (organization_id = current_organization());
