-- What recipients and buyers see of an organization besides its name and brand.
ALTER TABLE organizations
  ADD COLUMN terms_url text,
  ADD COLUMN contact_email text,
  ADD COLUMN shows_vitrine boolean NOT NULL DEFAULT true,
  ADD COLUMN web_domain text,
  -- When its record or file was last found. It is shown for two days after.
  ADD COLUMN web_domain_found_at timestamptz(3),
  ADD COLUMN web_domain_checked_at timestamptz(3),
  -- When it is checked again. Null: there is no domain.
  ADD COLUMN web_domain_due_at timestamptz(3);
