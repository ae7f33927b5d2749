-- When people and programs were told that an alarm opened, and that it ended. Alarms from before count as told: the dashboard shows those
-- that are still open. The defaults are for existing rows only; new ones are null until they are told.
ALTER TABLE alarms ADD COLUMN told_at timestamptz(3) DEFAULT now();
ALTER TABLE alarms ALTER COLUMN told_at DROP DEFAULT;
ALTER TABLE alarms ADD COLUMN end_told_at timestamptz(3) DEFAULT now();
ALTER TABLE alarms ALTER COLUMN end_told_at DROP DEFAULT;
CREATE INDEX alarms_untold ON alarms (created_at) WHERE resolved_at IS NULL AND told_at IS NULL;
CREATE INDEX alarms_end_untold ON alarms (kind, subject) WHERE told_at IS NOT NULL AND end_told_at IS NULL;

-- Who is still to be told of which alarm: the owners of its organization and the operator by mail, and the operator's webhook.
CREATE TYPE "AlarmChannel" AS ENUM ('OWNERS', 'OPERATOR', 'OPERATOR_WEBHOOK');
CREATE TYPE "AlarmChange" AS ENUM ('OPENED', 'RESOLVED');
CREATE TABLE "alarm_notices" (
    "id" UUID NOT NULL,
    "alarm_id" UUID NOT NULL,
    "organization_id" UUID,
    "kind" TEXT NOT NULL,
    "change" "AlarmChange" NOT NULL,
    "channel" "AlarmChannel" NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "told_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "alarm_notices_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "alarm_notices_alarm_id_change_channel_key" ON "alarm_notices"("alarm_id", "change", "channel");
CREATE INDEX "alarm_notices_channel_told_at_idx" ON "alarm_notices"("channel", "told_at");
CREATE INDEX alarm_notices_waiting ON alarm_notices (channel, next_at) WHERE told_at IS NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON alarm_notices TO vitrine_system;
ALTER TABLE alarm_notices ENABLE ROW LEVEL SECURITY;
ALTER TABLE alarm_notices FORCE ROW LEVEL SECURITY;
CREATE POLICY system ON alarm_notices TO vitrine_system USING (true) WITH CHECK (true);
