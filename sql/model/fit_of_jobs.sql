-- The families of recent jobs, with their accelerators ('': unknown).
SELECT family, accelerator
FROM recent_size
WHERE family IS NOT NULL
GROUP BY family, accelerator
ORDER BY family, accelerator;
