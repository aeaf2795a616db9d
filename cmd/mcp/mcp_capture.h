/* The output of a run, as far as it is kept: the start, and the end. */
#ifndef ZS_CMD_MCP_CAPTURE_H
#define ZS_CMD_MCP_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zs_mcp_capture {
	char *bytes;       /* first the start; then the end, and up to as much again that came before it */
	size_t head, room; /* bytes of start and end that are kept */
	size_t used;       /* of bytes */
	uint64_t total;    /* all that was printed */
};

/* -ENOMEM */
int zs_mcp_capture_new(struct zs_mcp_capture *capture, size_t head, size_t room);
void zs_mcp_capture_free(struct zs_mcp_capture *capture);

void zs_mcp_capture_add(struct zs_mcp_capture *capture, const char *bytes, size_t len);

/* Has it printed more than is kept? */
bool zs_mcp_capture_is_cut(const struct zs_mcp_capture *capture);

/* As one text, in which a line stands for the bytes left out. free() *ret_text. -ENOMEM */
int zs_mcp_capture_text(const struct zs_mcp_capture *capture, char **ret_text, size_t *ret_len);

/* Takes the end out of a capture without a start, but for the rest of a UTF-8 sequence that is still to come: that
 * stays unless it is alone, since then it has waited already. free() *ret_text. -ENOMEM */
int zs_mcp_capture_take(struct zs_mcp_capture *capture, char **ret_text, size_t *ret_len);

#endif
