-- The error of the probability of liquidation: the standard error, or the upper bound where no path was liquidated.
ALTER TABLE positions ADD COLUMN liquidation_probability_error double precision;
