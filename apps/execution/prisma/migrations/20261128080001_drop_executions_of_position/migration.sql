-- Only the list used it, and executions_of_position_of_account has the account as well.
DROP INDEX executions_of_position;
