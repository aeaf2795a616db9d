/* The interface between reading a request (http_request.c) and judging it (http_check.c). */
#ifndef ZS_SANDBOX_NET_HTTP_CHECK_H
#define ZS_SANDBOX_NET_HTTP_CHECK_H

#include "net/http_request.h"

enum zs_http_status zs_http_bad(struct zs_http_request *request, uint16_t code, const char *problem);

/* The fault that llhttp found. */
const char *zs_http_problem(llhttp_errno_t error);

/* Judges a whole head: ZS_HTTP_HEAD, with host, connect and path set; or ZS_HTTP_BAD. */
enum zs_http_status zs_http_check(struct zs_http_request *request);

/* Is it this name, in whatever case? */
bool zs_http_is(const struct zs_http_request *request, struct zs_http_span span, const char *name);

/* The next word of a list with commas, such as the value of Connection; false: there is none. *list becomes the rest.
 */
bool zs_http_next_word(const struct zs_http_request *request, struct zs_http_span *list, struct zs_http_span *ret_word);

#endif
