/* base/memory.c: see memory.h. */
#include "base/memory.h"

#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

/* Nothing here may need memory. */
void memory_is_out(void)
{
    progress_hide();
    fputs(log_format() == LOG_JSON
              ? "{\"level\":\"error\",\"event\":\"error\",\"message\":\"out of memory\",\"exit_code\":1}\n"
              : "error: out of memory\n  hint:   give kstar more, or run less beside it; then run again\n",
          stderr);
    _exit(ERROR_FAILED);
}

void *memory_or_die(void *memory)
{
    if (memory == NULL)
        memory_is_out();
    return memory;
}
