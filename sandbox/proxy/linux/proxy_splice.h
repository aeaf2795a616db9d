#ifndef ZS_SANDBOX_PROXY_SPLICE_H
#define ZS_SANDBOX_PROXY_SPLICE_H

#include "proxy/proxy_system.h"

struct zs_splice {
	struct zs_pipe pipe; /* the first member, so that a pointer to it is a pointer to the struct */
	int out, in;
};

#endif
