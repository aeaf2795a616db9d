#ifndef ZS_SANDBOX_PROXY_SPLICE_H
#define ZS_SANDBOX_PROXY_SPLICE_H

#include "proxy/proxy_system.h"

struct zs_splice {
	struct zs_pipe pipe; /* first: one stands for the other */
	int out, in;
};

#endif
