-- Whether there is anything of what was asked for.
SELECT EXISTS (SELECT FROM asked);
