-- What a history or a comparison reads of a metric lies in one place, in the order
-- in which it is read: in the table it lies as far apart as the transcripts of two
-- repeats say of everything else.
DROP INDEX measurement_by_metric;
CREATE INDEX measurement_by_metric ON measurement (metric, run, trial, repeat, position, value, unit, labels);

-- Repeats that do not count are few: who knows them need not look up the others.
CREATE INDEX repeat_not_done ON repeat (run, trial, n) WHERE outcome <> 'done';
