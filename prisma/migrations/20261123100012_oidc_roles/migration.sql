-- Whether the roles of an organization's members follow what the OpenID Connect provider says when they sign in with it.
ALTER TABLE organizations ADD COLUMN follows_oidc_roles boolean NOT NULL DEFAULT false;
