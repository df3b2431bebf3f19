/* ingest/delivery_answers.c: see delivery_answers.h. */
#include "ingest/delivery_answers.h"

#include "base/system/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends a name, quoted for a shell; nothing if there is no room. */
static void put_word(char *text, size_t size, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,";
    const bool is_plain = word[0] != '\0' && word[strspn(word, plain)] == '\0';
    size_t used = strlen(text);
    if (used + 4 * strlen(word) + 4 > size)
        return;
    used += (size_t)snprintf(text + used, size - used, is_plain ? " " : " '");
    for (const char *at = word; *at != '\0'; at++)
        used += (size_t)snprintf(text + used, size - used, *at == '\'' && !is_plain ? "'\\''" : "%c", *at);
    snprintf(text + used, size - used, is_plain ? "" : "'");
}

/* Writes the command for this answer, with the answers that were given before. */
static void write_command(const struct delivery_named *named, const char *answer, char *text, size_t size)
{
    snprintf(text, size, "kstar ingest %s%s %s", named->kind, named->answered, answer);
    if (named->inbox != NULL) {
        char *path = path_join(named->inbox, named->label);
        put_word(text, size, path);
        free(path);
        return;
    }
    snprintf(text + strlen(text), size - strlen(text), " --source");
    put_word(text, size, named->source);
    for (int i = 0; i < named->path_count; i++)
        put_word(text, size, named->paths[i]);
}

void delivery_answers_write(const struct delivery_named *named, struct delivery_hold *hold)
{
    char first[1024], second[1024];
    if (!hold->asks_if_moved) {
        write_command(named, "--accept", first, sizeof first);
        snprintf(hold->answers, sizeof hold->answers, "if it is right, let it in: %s", first);
        return;
    }
    write_command(named, "--moved", first, sizeof first);
    write_command(named, "--both", second, sizeof second);
    snprintf(hold->answers, sizeof hold->answers,
             "if they have moved, withdraw them there: %s; if both are true, keep both: %s", first, second);
}
