-- Whether any part was asked for.
SELECT EXISTS (SELECT FROM asked);
