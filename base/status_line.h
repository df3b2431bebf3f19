/* base/status_line.h: a line of the terminal that is drawn over itself, the last one of standard
 * error.
 */
#ifndef KSTAR_BASE_STATUS_LINE_H
#define KSTAR_BASE_STATUS_LINE_H

/* Draws `text` in place of what the line showed. It must not be wider than the terminal: what wraps
 * cannot be drawn over. */
void status_line_draw(const char *text);

/* Before anything else is written to standard error. */
void status_line_hide(void);

#endif
