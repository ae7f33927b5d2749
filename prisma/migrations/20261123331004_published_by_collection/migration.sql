-- By one collection, where one row is asked for: as a list, all collections of the installation were read for each listing and each item.
ALTER POLICY published ON listings USING (status <> 'DRAFT' AND EXISTS (SELECT 1 FROM collections c WHERE c.id = listings.collection_id));
ALTER POLICY published ON items USING (locked_at IS NOT NULL AND EXISTS (SELECT 1 FROM collections c WHERE c.id = items.collection_id));
