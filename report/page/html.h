/* report/page/html.h: writes HTML. Pure: it writes to a stream and knows no database. */
#ifndef KSTAR_REPORT_PAGE_HTML_H
#define KSTAR_REPORT_PAGE_HTML_H

#include <stdio.h>

/* Writes a text from outside so that it stays text, in an element and in a quoted attribute.
 * Control characters and invisible direction marks become the replacement character. Every text of
 * a page must be written by this function. NULL writes nothing. */
void html_text(FILE *out, const char *text);

/* Writes `pattern`, with each '$' replaced by the next text (const char *), as html_text writes it:
 *
 *     html_print(out, "<a href=\"$\">$</a>", file, name);
 */
void html_print(FILE *out, const char *pattern, ...);

#endif
