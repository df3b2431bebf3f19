/* base/status_line.h: a line of the terminal that is drawn over itself, the last one of standard
 * error.
 */
#ifndef KSTAR_BASE_STATUS_LINE_H
#define KSTAR_BASE_STATUS_LINE_H

/* Draws `text` over the line. It must not be wider than the terminal: a wrapped line cannot be
 * drawn over. */
void status_line_draw(const char *text);

/* Call before writing anything else to standard error. */
void status_line_hide(void);

#endif
