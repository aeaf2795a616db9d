/* Keeps the start and the end of a run's output. */
#ifndef ZS_CMD_MCP_CAPTURE_H
#define ZS_CMD_MCP_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zs_mcp_capture {
	char *bytes;       /* the start, then the latest bytes: the end, and up to as much again before it */
	size_t head, room; /* how many bytes of start and end are kept */
	size_t used;       /* how much of `bytes` is filled */
	uint64_t total;    /* how much was printed in all */
};

/* -ENOMEM */
int zs_mcp_capture_new(struct zs_mcp_capture *capture, size_t head, size_t room);
void zs_mcp_capture_free(struct zs_mcp_capture *capture);

void zs_mcp_capture_add(struct zs_mcp_capture *capture, const char *bytes, size_t len);

/* Was more printed than is kept? */
bool zs_mcp_capture_is_cut(const struct zs_mcp_capture *capture);

/* Makes one text, in which a line stands for the bytes left out. free() *ret_text. -ENOMEM */
int zs_mcp_capture_text(const struct zs_mcp_capture *capture, char **ret_text, size_t *ret_len);

/* Takes the end out of a capture that keeps no start. An incomplete UTF-8 sequence at the end stays for the next call,
 * unless nothing else is left: then it has waited once already. free() *ret_text. -ENOMEM */
int zs_mcp_capture_take(struct zs_mcp_capture *capture, char **ret_text, size_t *ret_len);

#endif
