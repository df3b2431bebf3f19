/* tests/unit/test_mail_message.c: texts from outside stay in their headers. Whole messages are read
 * by Python's mail parser in tests/database/test_deliver.py. */
#include "report/mail_message.h"

#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct error error;

static void an_address_is_a_name_at_a_host(void **state)
{
    (void)state;
    const char *const plain[] = { "a@b", "ruth.o'neil+finops@mail.example.org", "x_1=2/3@10.example" };
    const char *const others[] = {
        "",      "a",       "@b",        "a@",           "a@b@c",         "a b@c",
        "a@b c", "a@b\n",   "a\n@b",     "a,b@c",        "a@b,c@d",       "<a@b>",
        "a;@b",  "\"a\"@b", "a@[1.2.3]", "-oQ/tmp@host", "\xC3\xBC@host", "a@b\r\nBcc: c@d"
    };
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        assert_true(mail_address_is_plain(plain[i]));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(mail_address_is_plain(others[i]));
}

/* The message with this subject and file name, without a file's bytes. */
static char *written(const char *subject, const char *file_name)
{
    char *text = NULL;
    size_t length;
    const struct mail_message message = {
        "from@example.org", "to@example.org",           subject,    "text\n", "/dev/null",
        file_name,          "application/octet-stream", "0123abcd", 0
    };
    FILE *out = open_memstream(&text, &length);
    assert_true(mail_message_write(&message, out, &error));
    fclose(out);
    return text;
}

static void a_plain_subject_stands_as_it_is(void **state)
{
    (void)state;
    char *text = written("Chargeback 2026-09: CC-210", "a.xlsx");
    assert_non_null(
        strstr(text, "\nSubject: Chargeback 2026-09: CC-210\nDate: Thu, 01 Jan 1970 00:00:00 +0000\n"));
    assert_non_null(strstr(text, "\nMessage-ID: <kstar-0123abcd@example.org>\n"));
    free(text);
}

/* Reads the encoded words of a header, each of whole characters, each line short enough. */
static void decode(const char *header, char *decoded)
{
    const char *line = strchr(header, ':') + 1;
    for (; *line == ' '; line += *line == '\n') {
        size_t length = strcspn(line, "\n");
        unsigned char bytes[64] = "";
        assert_true(length <= 76);
        assert_memory_equal(line, " =?UTF-8?B?", 11);
        assert_memory_equal(line + length - 2, "?=", 2);
        assert_true(EVP_DecodeBlock(bytes, (const unsigned char *)line + 11, (int)length - 13) >= 0);
        size_t used = strlen((const char *)bytes);
        assert_int_equal(utf8_valid_prefix((const char *)bytes, used), used);
        decoded = stpcpy(decoded, (const char *)bytes);
        line += length;
    }
}

static void another_subject_is_encoded_and_folded_and_keeps_to_its_header(void **state)
{
    (void)state;
    char long_one[1001], decoded[2048];
    for (size_t i = 0; i < 500; i++)
        memcpy(long_one + 2 * i, "\xC3\xBC", 3);
    const char *const subjects[][2] = {
        { "a\r\nBcc: evil@example.org\n\nbody", "a  Bcc: evil@example.org  body" },
        { "=?UTF-8?B?RXZpbA==?=", "=?UTF-8?B?RXZpbA==?=" },
        { "\x7F\x01\xF0\x9F\x92\xB6", "  \xF0\x9F\x92\xB6" },
        { long_one, long_one },
    };
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
        char *text = written(subjects[i][0], "a.xlsx");
        assert_null(strstr(text, "\nBcc"));
        decode(strstr(text, "\nSubject:") + 1, decoded);
        assert_string_equal(decoded, subjects[i][1]);
        free(text);
    }
}

static void a_file_name_is_quoted_by_percent(void **state)
{
    (void)state;
    char *text = written("s", "a\"\r\n; x=\xC3\xBC.xlsx");
    assert_non_null(strstr(text, "attachment;\n filename*=utf-8''a%22%0D%0A%3B%20x%3D%C3%BC.xlsx\n"));
    free(text);
}

static void an_address_that_nobody_checked_is_a_bug(void **state)
{
    (void)state;
    const struct mail_message message = { NULL, "a@b\nBcc: c@d", "s", "t", "/dev/null", "f", "t/t", "0", 0 };
    assert_false(mail_message_write(&message, stdout, &error));
    assert_memory_equal(error.message, "BUG", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_is_a_name_at_a_host),
        cmocka_unit_test(a_plain_subject_stands_as_it_is),
        cmocka_unit_test(another_subject_is_encoded_and_folded_and_keeps_to_its_header),
        cmocka_unit_test(a_file_name_is_quoted_by_percent),
        cmocka_unit_test(an_address_that_nobody_checked_is_a_bug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
