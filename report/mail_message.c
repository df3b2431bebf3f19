/* report/mail_message.c: see mail_message.h. */
#include "report/mail_message.h"

#include <ctype.h>
#include <openssl/evp.h>
#include <string.h>
#include <unistd.h>

enum {
    ADDRESS_BYTES = 254,
    LINE_BYTES = 57,         /* 76 characters of base64 */
    ENCODED_WORD_BYTES = 42, /* =?UTF-8?B?…?= of at most 75 characters, whole UTF-8 characters */
    /* longer headers are folded, which is allowed anywhere only in encoded words */
    PLAIN_HEADER_BYTES = 60,
};

bool mail_address_is_plain(const char *address)
{
    static const char marks[] = "!#$%&'*+/=?^_`{|}~.-"; /* RFC 5322, atext and the dot */
    const char *at = strchr(address, '@');
    if (at == NULL || at == address || at[1] == '\0' || address[0] == '-' || strlen(address) > ADDRESS_BYTES)
        return false;
    for (const char *c = address; *c != '\0'; c++) {
        bool plain = ((unsigned char)*c < 0x80 && isalnum((unsigned char)*c)) || *c == '.' || *c == '-';
        if (c != at && !plain && (c > at || strchr(marks, *c) == NULL))
            return false;
    }
    return true;
}

/* ---- headers ---- */

static void write_base64(FILE *out, const unsigned char *bytes, size_t length)
{
    unsigned char encoded[4 * ((LINE_BYTES + 2) / 3) + 1];
    EVP_EncodeBlock(encoded, bytes, (int)length);
    fputs((const char *)encoded, out);
}

static bool is_plain(const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        if (*c < 0x20 || *c > 0x7E)
            return false;
    return strstr(text, "=?") == NULL && strlen(text) <= PLAIN_HEADER_BYTES && text[0] != ' ';
}

/* Number of bytes of the next encoded word: as many whole characters as fit. */
static size_t word_bytes(const char *text)
{
    size_t length = strnlen(text, ENCODED_WORD_BYTES + 1);
    if (length <= ENCODED_WORD_BYTES)
        return length;
    length = ENCODED_WORD_BYTES;
    while (length > 1 && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--;
    return length;
}

/* Writes a header with text from outside. Control characters, including line ends, become
 * spaces. */
static void write_header(FILE *out, const char *name, const char *text)
{
    if (is_plain(text)) {
        fprintf(out, "%s: %s\n", name, text);
        return;
    }
    fprintf(out, "%s:", name);
    for (size_t length; *text != '\0'; text += length) {
        unsigned char word[ENCODED_WORD_BYTES];
        length = word_bytes(text);
        for (size_t i = 0; i < length; i++) {
            unsigned char c = (unsigned char)text[i];
            word[i] = c < 0x20 || c == 0x7F ? ' ' : c;
        }
        fputs(" =?UTF-8?B?", out);
        write_base64(out, word, length);
        fputs(text[length] != '\0' ? "?=\n" : "?=", out);
    }
    fputc('\n', out);
}

/* filename*=utf-8''… of a parameter: all but letters, digits and a few marks as %XX. */
static void write_parameter(FILE *out, const char *name, const char *text)
{
    fprintf(out, ";\n %s*=utf-8''", name);
    for (const char *c = text; *c != '\0'; c++) {
        bool plain = (unsigned char)*c < 0x80 && (isalnum((unsigned char)*c) || strchr("._-", *c) != NULL);
        fprintf(out, plain ? "%c" : "%%%02X", (unsigned char)*c);
    }
}

/* ---- parts ---- */

static void write_text(FILE *out, const char *text)
{
    fputs("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n", out);
    for (size_t length; *text != '\0'; text += length) {
        length = strnlen(text, LINE_BYTES);
        write_base64(out, (const unsigned char *)text, length);
        fputc('\n', out);
    }
}

static bool write_file(FILE *out, const struct mail_message *message, struct error *error)
{
    unsigned char line[LINE_BYTES];
    size_t length;
    FILE *file = fopen(message->path, "rbe");
    if (file == NULL)
        return error_set_errno(error, "%s", message->path);
    fprintf(out, "Content-Type: %s\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment",
            message->file_type);
    write_parameter(out, "filename", message->file_name);
    fputs("\n\n", out);
    while ((length = fread(line, 1, sizeof line, file)) > 0) {
        write_base64(out, line, length);
        fputc('\n', out);
    }
    bool ok = !ferror(file) || error_set_errno(error, "%s: read", message->path);
    fclose(file);
    return ok;
}

/* Writes the Message-ID. Its domain is the sender's, or this machine's name. */
static void write_id(FILE *out, const struct mail_message *message)
{
    char host[256] = "";
    if (message->from != NULL)
        snprintf(host, sizeof host, "%s", strchr(message->from, '@') + 1);
    else if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0')
        snprintf(host, sizeof host, "localhost");
    fprintf(out, "Message-ID: <kstar-%s@%s>\n", message->id, host);
}

bool mail_message_write(const struct mail_message *message, FILE *out, struct error *error)
{
    char date[64];
    struct tm utc;
    if (!mail_address_is_plain(message->to) ||
        (message->from != NULL && !mail_address_is_plain(message->from)))
        return error_set(error, ERROR_FAILED, "BUG: a mail address was not checked");
    if (message->from != NULL)
        fprintf(out, "From: %s\n", message->from);
    fprintf(out, "To: %s\n", message->to);
    write_header(out, "Subject", message->subject);
    if (gmtime_r(&message->date, &utc) != NULL &&
        strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S +0000", &utc) > 0)
        fprintf(out, "Date: %s\n", date);
    write_id(out, message);
    fputs("Auto-Submitted: auto-generated\nMIME-Version: 1.0\n",
          out); /* RFC 3834: asks for no automatic answer */
    fprintf(out, "Content-Type: multipart/mixed; boundary=\"kstar-%s\"\n\n--kstar-%s\n", message->id,
            message->id);
    write_text(out, message->text);
    fprintf(out, "\n--kstar-%s\n", message->id);
    if (!write_file(out, message, error))
        return false;
    fprintf(out, "\n--kstar-%s--\n", message->id);
    return (fflush(out) == 0 && !ferror(out)) || error_set_errno(error, "mail: write");
}
