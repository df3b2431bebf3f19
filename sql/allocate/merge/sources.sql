-- The sources of lines by name. They are read before all other names, so that their numbers have
-- the order of the names, by which slots of two sources are compared.
DECLARE catalogue NO SCROLL CURSOR FOR
SELECT source
FROM (SELECT source FROM line_class UNION SELECT source FROM earlier_time) AS named
ORDER BY source COLLATE "C"
