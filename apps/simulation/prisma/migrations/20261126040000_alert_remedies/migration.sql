-- The next step for the operator. An earlier version beside this one opens alerts without it.
ALTER TABLE operator_alerts ADD COLUMN remedy text NOT NULL DEFAULT '';
