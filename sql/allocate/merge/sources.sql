-- The sources of lines in the order of their names, before any other name: slots of two sources are
-- compared by the numbers that they have from here.
DECLARE catalogue NO SCROLL CURSOR FOR
SELECT source
FROM (SELECT source FROM line_class UNION SELECT source FROM earlier_time) AS named
ORDER BY source COLLATE "C"
