-- The families of recent jobs, with what they ran on ('': nobody knows).
SELECT family, accelerator
FROM recent_size
WHERE family IS NOT NULL
GROUP BY family, accelerator
ORDER BY family, accelerator;
