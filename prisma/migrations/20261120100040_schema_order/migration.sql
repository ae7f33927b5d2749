-- jsonb sorts a schema's keys; its attributes stand in a form in the order their author gave them.
ALTER TABLE "item_types" ALTER COLUMN "schema" TYPE JSON USING "schema"::json;
