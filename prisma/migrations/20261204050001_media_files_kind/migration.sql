-- The kind of the original where it has the pixels of the uploaded file. Files stored before have none: theirs was encoded anew, as WebP.
ALTER TABLE media_files ADD COLUMN kind text;
ALTER TABLE media_files ADD CONSTRAINT media_files_kind CHECK (kind IN ('avif', 'gif', 'jpg', 'png', 'webp')) NOT VALID;
